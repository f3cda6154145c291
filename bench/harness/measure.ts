/**
 * Measures a scenario on its targets, which take turns in rounds; the order is reversed in every
 * other round.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { histogram, type Latency, latencyOf, median } from './latencies.ts';
import type { LoadGenerator } from './load-generator.ts';
import type { LoadTarget } from './load-order.ts';
import { cpuBetween, cpuTimes, peakMegabytes, resetPeak, writtenBytes } from './process-usage.ts';
import type { Scenario } from './scenarios.ts';
import type { Target } from './targets.ts';

export interface Figure {
  readonly target: string;
  /**
   * CPU microseconds per request, all threads and processes: the median round, and the lowest and
   * highest.
   */
  readonly cpu: number;
  readonly cpuRange: readonly [number, number];
  /** To the first target: the median of the rounds' ratios. */
  readonly ratio: number;
  readonly writtenKilobytes: number;
  readonly peakMegabytes: number;
  readonly failed: number;
  readonly perSecond?: number;
  readonly pace?: PaceFigure;
}

export interface PaceFigure {
  readonly latency: Latency;
  /** Calls to the upstream itself, sent between those to the target. */
  readonly direct: Latency;
  readonly histogram: readonly number[];
  readonly directHistogram: readonly number[];
}

interface Round {
  readonly count: number;
  readonly failed: number;
  readonly cpu: number;
  /** Bytes that belong to the saturation before the round. */
  readonly writtenBySaturation: number;
  readonly seconds: number;
  readonly latencies: readonly number[];
  readonly direct: readonly number[];
}

/** After a round, so that its checkpoints are counted with it. */
const afterworkMs = 150;
/**
 * Charges gather for at most two seconds before they are in the tables
 * (docs/rules/ledger.md#charge-journal).
 */
const gatheringMs = 2500;
/** Share of the load that each target gets before the first round. */
const warmUpShare = 0.2;
const saturatedConnections = 32;
/** Between two listings of a reader. */
const listingMs = 100;

interface Bench {
  readonly load: LoadGenerator;
  readonly upstream: LoadTarget;
}

type Loaded = Omit<Round, 'cpu' | 'writtenBySaturation'>;

async function applyLoad(
  { load, upstream }: Bench,
  scenario: Scenario,
  target: Target,
  share: number,
): Promise<Loaded> {
  const { request, load: shape } = scenario;
  const { url, keys, header } = target;
  if (shape.kind === 'saturation') {
    const count = Math.max(1, Math.round(shape.count * share));
    const report = await load.saturate({
      target: { url, keys, header },
      request,
      concurrency: shape.concurrency,
      count,
    });
    return { ...report, latencies: [], direct: [] };
  }
  const seconds = shape.seconds * shape.rounds * share;
  const { latencies, failed } = await load.pace({
    targets: [{ url, keys, header }, upstream],
    request,
    timed: shape.timed ?? 'reply',
    perSecond: shape.perSecond,
    seconds,
  });
  const [own = [], direct = []] = latencies;
  const count = Math.max(1, Math.round(shape.perSecond * seconds));
  return { count, failed: failed[0] ?? 0, seconds, latencies: own, direct };
}

/** Lists logs until it is stopped. */
function startListing(target: Target, isListing = false): () => Promise<void> {
  let isOver = !isListing || target.list === undefined;
  const work = (async () => {
    while (!isOver) {
      await target.list?.();
      await pause(listingMs);
    }
  })();
  return () => {
    isOver = true;
    return work;
  };
}

async function saturateBefore(
  { load }: Bench,
  { request, load: shape }: Scenario,
  { url, keys, header }: Target,
): Promise<void> {
  if (shape.kind !== 'pace' || shape.after === undefined) return;
  await load.saturate({
    target: { url, keys, header },
    request,
    concurrency: saturatedConnections,
    seconds: shape.after,
  });
}

async function measureRound(bench: Bench, scenario: Scenario, target: Target): Promise<Round> {
  const writtenBefore = writtenBytes(target.pid);
  await saturateBefore(bench, scenario, target);
  const writtenBySaturation = writtenBytes(target.pid) - writtenBefore;
  const stopListing = startListing(target, scenario.isListing);
  const pids = [target.pid, target.databasePid ?? 0];
  const before = cpuTimes(...pids);
  const loaded = await applyLoad(bench, scenario, target, 1 / scenario.load.rounds);
  await stopListing();
  await pause(afterworkMs);
  return {
    ...loaded,
    cpu: cpuBetween(before, cpuTimes(...pids)) / loaded.count,
    writtenBySaturation,
  };
}

async function takeTurns(
  bench: Bench,
  scenario: Scenario,
  targets: readonly Target[],
): Promise<readonly Round[][]> {
  const rounds = targets.map((): Round[] => []);
  for (let round = 0; round < scenario.load.rounds; round += 1) {
    const order = [...targets.keys()];
    for (const index of round % 2 === 0 ? order : order.toReversed()) {
      const target = targets[index];
      if (target !== undefined) rounds[index]?.push(await measureRound(bench, scenario, target));
    }
  }
  return rounds;
}

function paceFigure(rounds: readonly Round[]): PaceFigure {
  const latencies = rounds.flatMap((round) => round.latencies);
  const direct = rounds.flatMap((round) => round.direct);
  return {
    latency: latencyOf(latencies),
    direct: latencyOf(direct),
    histogram: histogram(latencies),
    directHistogram: histogram(direct),
  };
}

/** The first target is the base of the ratios. */
export async function measure(
  bench: Bench,
  scenario: Scenario,
  targets: readonly Target[],
): Promise<readonly Figure[]> {
  for (const target of targets) {
    await applyLoad(bench, scenario, target, warmUpShare);
    resetPeak(target.pid);
  }
  const writtenBefore = targets.map(({ pid }) => writtenBytes(pid));
  const all = await takeTurns(bench, scenario, targets);
  await pause(gatheringMs);
  const [base = []] = all;
  return targets.map(({ name, pid }, index) => {
    const rounds = all[index] ?? [];
    const cpus = rounds.map(({ cpu }) => cpu);
    const count = rounds.reduce((sum, round) => sum + round.count, 0);
    const written = rounds.reduce(
      (rest, round) => rest - round.writtenBySaturation,
      writtenBytes(pid) - (writtenBefore[index] ?? 0),
    );
    return {
      target: name,
      cpu: median(cpus),
      cpuRange: [Math.min(...cpus), Math.max(...cpus)],
      ratio: median(cpus.map((cpu, round) => cpu / (base[round]?.cpu ?? Number.NaN))),
      writtenKilobytes: written / count / 1024,
      peakMegabytes: peakMegabytes(pid),
      failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
      ...(scenario.load.kind === 'pace'
        ? { pace: paceFigure(rounds) }
        : { perSecond: median(rounds.map((round) => round.count / round.seconds)) }),
    };
  });
}
