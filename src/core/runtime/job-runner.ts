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
}

export interface JobRunnerDeps {
  readonly jobs: readonly BackgroundJob[];
  readonly cluster: Pick<Cluster, 'leases' | 'values'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly logger: Logger;
}

/** An interval may change at any time, so it is read at least this often. Seconds. */
const maxCheckSeconds = 60;
/** A lease is renewed at every check and outlives three of them. If its process dies, another one soon takes over. */
const leaseMs = 3 * maxCheckSeconds * 1000;
const recordMs = 30 * 24 * 3_600_000;
const maxErrorCharacters = 500;

interface Schedule {
  readonly job: BackgroundJob;
  /** The last start, or the start of the process. Unix milliseconds. */
  lastStart: number;
  running: Promise<void> | undefined;
}

export function createJobRunner({ jobs, cluster, clock, ids, logger }: JobRunnerDeps): JobRunner {
  const owner = ids.uuid();
  const stopping = new AbortController();
  const records = cluster.values<JobRecord>('background jobs', () => jobs.length);
  const schedules: readonly Schedule[] = jobs.map((job) => ({ job, lastStart: clock.now(), running: undefined }));
  let loops: readonly Promise<void>[] = [];

  const leaseName = (job: BackgroundJob): string => `job.${job.name}`;
  const acquire = (job: BackgroundJob, ms: number): Promise<boolean> =>
    job.scope === 'process' ? Promise.resolve(true) : cluster.leases.acquire(leaseName(job), owner, ms);

  const runWithin = async (job: BackgroundJob): Promise<void> => {
    const ended = new AbortController();
    const limit = new AbortController();
    const signal = AbortSignal.any([stopping.signal, limit.signal]);
    const timer = clock.sleep(job.timeout * 1000, AbortSignal.any([ended.signal, stopping.signal])).then(
      () => limit.abort(new Error(`no end after ${job.timeout} s`)),
      () => {}, // the run ended, or the process stops
    );
    try {
      await job.run(signal);
      if (limit.signal.aborted) throw limit.signal.reason;
    } finally {
      ended.abort();
      await timer;
    }
  };

  const run = async (schedule: Schedule): Promise<void> => {
    const { job } = schedule;
    schedule.lastStart = clock.now();
    if (!(await acquire(job, leaseMs))) return;
    let error = '';
    try {
      await runWithin(job);
    } catch (thrown) {
      if (stopping.signal.aborted) return;
      error = describe(thrown);
      logger.error({ error: thrown, job: job.name }, 'a background job failed');
    }
    const durationMs = Math.max(0, clock.now() - schedule.lastStart);
    await records.set(job.name, { startedAt: schedule.lastStart, durationMs, error }, recordMs);
    // The lease lasts until just before the next run is due, so that no other process runs the job in this interval.
    const remaining = schedule.lastStart + job.interval() * 1000 - tolerance(job) - clock.now();
    if (remaining > 0) await acquire(job, remaining);
    else if (job.scope === 'gateway') await cluster.leases.release(leaseName(job), owner);
  };

  const isDue = ({ job, lastStart }: Schedule): boolean =>
    // With the tolerance, a check that comes slightly early does not delay the run until the next check.
    job.interval() > 0 && clock.now() - lastStart >= job.interval() * 1000 - tolerance(job);

  const repeat = async (schedule: Schedule): Promise<void> => {
    const { job } = schedule;
    while (!stopping.signal.aborted) {
      await clock.sleep(checkSeconds(job) * 1000, stopping.signal);
      if (schedule.running !== undefined) await acquire(job, leaseMs);
      else if (isDue(schedule)) {
        schedule.running = run(schedule)
          .catch((error: unknown) => logger.error({ error, job: job.name }, 'a background job could not be recorded'))
          .finally(() => {
            schedule.running = undefined;
          });
      }
    }
  };

  return {
    start: () => {
      loops = schedules.map((schedule) =>
        repeat(schedule).catch((error: unknown) => {
          if (!stopping.signal.aborted)
            logger.error({ error, job: schedule.job.name }, 'a background job is no longer scheduled');
        }),
      );
    },
    stop: async () => {
      stopping.abort(new Error('stopping'));
      await Promise.all([...loops, ...schedules.map(({ running }) => running)]);
    },
    report: () =>
      Promise.all(
        schedules.map(async ({ job, lastStart, running }) => ({
          name: job.name,
          interval: job.interval(),
          running: running !== undefined,
          last: await records.get(job.name),
          nextRunAt: loops.length === 0 || job.interval() === 0 ? 0 : lastStart + job.interval() * 1000,
        })),
      ),
  };
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
  const text = error instanceof AppError ? error.code : error instanceof Error ? error.message : String(error);
  return text.slice(0, maxErrorCharacters);
}
