import type { Cluster } from '../cluster/cluster.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { BackgroundJob, JobRecord, JobReport } from './background-job.ts';

export interface JobRunner {
  /** Starts the schedules. A job first runs after its first interval. */
  start(): void;
  /** Aborts running jobs and waits for them. */
  stop(): Promise<void>;
  report(): Promise<readonly JobReport[]>;
  /** Jobs of the site that run here now. */
  underWay(): number;
}

export interface JobRunnerDeps {
  readonly jobs: readonly BackgroundJob[];
  /** Jobs of the site are left to other processes; absent: never. */
  readonly isLeaving?: () => boolean;
  readonly cluster: Pick<Cluster, 'leases' | 'values'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly logger: Logger;
}

/** An interval may change at any time, so it is read at least this often. Seconds. */
const maxCheckSeconds = 60;
/**
 * A lease is renewed at every check and outlives three of them. If its process dies, another one
 * soon takes over.
 */
const leaseMs = 3 * maxCheckSeconds * 1000;
/** Milliseconds that a run may take to end after its signal aborted; then it is given up. */
const graceMs = 10_000;
/** Milliseconds until a schedule that failed goes on. */
const pauseAfterFailure = 5000;
/** Seconds after which a job that failed runs again, where its interval is longer. */
const retrySeconds = 3600;
const recordMs = 30 * 24 * 3_600_000;
const maxErrorCharacters = 500;

interface Schedule {
  readonly job: BackgroundJob;
  /** The last start, or the start of the process. Unix milliseconds. */
  lastStart: number;
  /**
   * Start of the last run that succeeded, here or in another process; or the start of this process.
   */
  coveredAt: number;
  /** Its last run failed here. */
  hasFailed: boolean;
  running: Promise<void> | undefined;
}

/** No failure of what a schedule depends on ends it (docs/rules/process.md#background-jobs). */
export function createJobRunner(deps: JobRunnerDeps): JobRunner {
  const { jobs, isLeaving = () => false, cluster, clock, ids, logger } = deps;
  const owner = ids.uuid();
  const stopping = new AbortController();
  const records = cluster.values<JobRecord>('background jobs', () => jobs.length);
  const startedAt = clock.now();
  const schedules: readonly Schedule[] = jobs.map((job) => ({
    job,
    lastStart: startedAt,
    coveredAt: startedAt,
    hasFailed: false,
    running: undefined,
  }));
  let loops: readonly Promise<void>[] = [];

  const leaseName = (job: BackgroundJob): string => `job.${job.name}`;
  const acquire = async (job: BackgroundJob, ms: number): Promise<boolean> =>
    job.scope === 'process' ||
    cluster.leases.acquire(leaseName(job), owner, ms, Math.max(leaseMs, job.interval() * 1000));
  /** Whether it was done. Nothing that is left of a run may end its schedule. */
  const attempt = async (
    job: BackgroundJob,
    what: string,
    work: () => unknown,
  ): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!stopping.signal.aborted) logger.error({ error, job: job.name }, what);
      return false;
    }
  };
  const sleep = async (ms: number, signal: AbortSignal): Promise<void> => clock.sleep(ms, signal);
  const keepLease = (job: BackgroundJob, ms: number): Promise<boolean> =>
    attempt(job, 'the lease of a background job could not be renewed', () => acquire(job, ms));

  /** Rejects with what `job.run` rejects with, and when it takes too long. */
  const runWithin = async (job: BackgroundJob): Promise<void> => {
    const ended = new AbortController();
    const limit = new AbortController();
    const signal = AbortSignal.any([stopping.signal, limit.signal]);
    const timer = sleep(job.timeout * 1000, AbortSignal.any([ended.signal, stopping.signal])).then(
      () => limit.abort(new Error(`no end after ${job.timeout} s`)),
      () => {}, // the run ended, or the process stops
    );
    const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
    givenUp.catch(() => undefined); // the run may end first
    signal.addEventListener(
      'abort',
      () =>
        void sleep(graceMs, ended.signal).then(
          () => giveUp(signal.reason),
          () => {},
        ),
      { once: true },
    );
    try {
      await Promise.race([job.run(signal), givenUp]);
      if (limit.signal.aborted) throw limit.signal.reason;
    } finally {
      ended.abort();
      await timer;
    }
  };

  /**
   * The lease lasts until just before the next run is due, so that no other process runs the job in
   * this interval.
   */
  const passOnLease = async (schedule: Schedule): Promise<void> => {
    const { job } = schedule;
    const remaining = schedule.lastStart + waitOf(schedule) - tolerance(job) - clock.now();
    if (remaining > 0) await acquire(job, remaining);
    else if (job.scope === 'gateway') await cluster.leases.release(leaseName(job), owner);
  };

  const record = async ({ job, lastStart }: Schedule, error: string): Promise<void> => {
    const durationMs = Math.max(0, clock.now() - lastStart);
    const succeededAt =
      error === '' ? lastStart : ((await records.get(job.name))?.succeededAt ?? 0);
    await records.set(job.name, { startedAt: lastStart, durationMs, error, succeededAt }, recordMs);
  };

  /** Never rejects. */
  const run = async (schedule: Schedule): Promise<void> => {
    const { job, lastStart: before } = schedule;
    const start = clock.now();
    schedule.lastStart = start;
    let isMine = false;
    const isKnown = await attempt(
      job,
      'the lease of a background job could not be taken',
      async () => {
        isMine = await acquire(job, leaseMs);
      },
    );
    // It is tried again at the next check, which may come long before the next interval is over.
    if (!isKnown) schedule.lastStart = before;
    else if (!isMine) schedule.coveredAt = start;
    if (!isMine) return;
    let error = '';
    schedule.hasFailed = false;
    try {
      await runWithin(job);
      schedule.coveredAt = start;
    } catch (thrown) {
      if (stopping.signal.aborted) return;
      error = describe(thrown);
      schedule.hasFailed = true;
      logger.error({ error: thrown, job: job.name }, 'a background job failed');
    }
    await attempt(job, 'the run of a background job could not be recorded', () =>
      record(schedule, error),
    );
    await attempt(job, 'the lease of a background job could not be passed on', () =>
      passOnLease(schedule),
    );
  };

  const isDue = (schedule: Schedule): boolean => {
    const { job, lastStart } = schedule;
    const since = clock.now() - lastStart;
    // With the tolerance, a check that comes slightly early does not delay the run until the next
    // check. A clock that was set back does not put the next run off by as much.
    return job.interval() > 0 && (since < 0 || since >= waitOf(schedule) - tolerance(job));
  };

  const check = async (schedule: Schedule): Promise<void> => {
    const { job } = schedule;
    await clock.sleep(checkSeconds(job) * 1000, stopping.signal);
    if (job.interval() === 0) schedule.coveredAt = clock.now(); // nothing is due while it is off
    if (schedule.running !== undefined) await keepLease(job, leaseMs);
    else if (isLeaving() && job.scope === 'gateway') schedule.coveredAt = clock.now();
    else if (isDue(schedule)) {
      schedule.running = run(schedule).finally(() => {
        schedule.running = undefined;
      });
    }
  };

  const repeat = async (schedule: Schedule): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (
        await attempt(schedule.job, 'a background job could not be checked; it goes on', () =>
          check(schedule),
        )
      )
        continue;
      if (stopping.signal.aborted) return;
      // A clock that fails as well must not keep the process busy.
      await sleep(pauseAfterFailure, stopping.signal).catch(
        () => new Promise<void>((resolve) => setImmediate(resolve)),
      );
    }
  };

  const reportOf = async (schedule: Schedule): Promise<JobReport> => {
    const { job, lastStart, running } = schedule;
    const last = await records.get(job.name);
    const interval = job.interval();
    const isScheduled = loops.length > 0 && interval > 0;
    const expectedAt = isScheduled
      ? Math.max(schedule.coveredAt, last?.succeededAt ?? 0) + interval * 1000
      : 0;
    return {
      name: job.name,
      interval,
      running: running !== undefined,
      last,
      nextRunAt: isScheduled ? lastStart + waitOf(schedule) : 0,
      expectedAt,
      isLate: isScheduled && clock.now() > expectedAt + job.timeout * 1000 + lateAfterMs,
    };
  };

  return {
    start: () => {
      loops = schedules.map(repeat);
    },
    stop: async () => {
      stopping.abort(new Error('stopping'));
      await Promise.all([...loops, ...schedules.map(({ running }) => running)]);
    },
    report: () => Promise.all(schedules.map(reportOf)),
    underWay: () =>
      schedules.filter(({ job, running }) => running !== undefined && job.scope === 'gateway')
        .length,
  };
}

/**
 * Milliseconds beyond its interval and its time limit after which a job counts as late: a check may
 * come a minute later.
 */
const lateAfterMs = 2 * maxCheckSeconds * 1000;

/** Milliseconds from the last start until the next one is due. */
function waitOf({ job, hasFailed }: Schedule): number {
  const interval = job.interval();
  return (hasFailed ? Math.min(interval, retrySeconds) : interval) * 1000;
}

/** Seconds until the job's interval is read again. */
function checkSeconds(job: BackgroundJob): number {
  const interval = job.interval();
  return interval === 0 ? maxCheckSeconds : Math.min(interval, maxCheckSeconds);
}

/** Milliseconds by which a run may come early. */
function tolerance(job: BackgroundJob): number {
  return (checkSeconds(job) * 1000) / 2;
}

function describe(error: unknown): string {
  const text =
    error instanceof AppError ? error.code : error instanceof Error ? error.message : String(error);
  return text.slice(0, maxErrorCharacters);
}
