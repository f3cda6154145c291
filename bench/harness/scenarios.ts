/** What `npm run bench` measures. */
import type { Timed } from './load-order.ts';
import { type RequestName, requests } from './requests.ts';

/** As much as goes through. The targets take turns in short rounds; the median round counts. */
interface Saturation {
  readonly kind: 'saturation';
  /** Requests in all rounds together. */
  readonly count: number;
  readonly rounds: number;
  readonly concurrency: number;
}

/** A fixed rate, beside as many calls to the upstream itself. */
interface Pace {
  readonly kind: 'pace';
  readonly perSecond: number;
  /** Of each round. */
  readonly seconds: number;
  readonly rounds: number;
  /** What the latencies are of; absent: replies. */
  readonly timed?: Timed;
  /** Saturation for so many seconds before each round. */
  readonly after?: number;
}

export interface Scenario {
  readonly name: string;
  readonly request: RequestName;
  /** How many users, each with a token, take turns. */
  readonly users: number;
  /** Rows of the usage log before the first request, and as many charges. */
  readonly logRows: number;
  readonly load: Saturation | Pace;
  /** The ratio to the bare relay that it is to keep, with `--pin`. */
  readonly goal?: number;
  /**
   * Every request falls under three budgets and a fence; the base of the ratio is the same gateway
   * without them, in place of the bare relay.
   */
  readonly isBudgeted?: boolean;
  /** An administrator lists logs all the time. */
  readonly isListing?: boolean;
}

const many = 1000;
const million = 1_000_000;
const saturated = (count: number, rounds: number, concurrency: number): Saturation => ({
  kind: 'saturation',
  count,
  rounds,
  concurrency,
});
const paced = (perSecond: number, seconds: number, rounds: number): Pace => ({
  kind: 'pace',
  perSecond,
  seconds,
  rounds,
});
const smallLoad = saturated(30_000, 15, 32);
const base = { request: 'chat', users: many, logRows: 0 } as const;

export const scenarios: readonly Scenario[] = [
  { ...base, name: 'small', users: 1, load: smallLoad },
  { ...base, name: 'small-users', load: smallLoad },
  { ...base, name: 'small-rows', logRows: million, load: smallLoad },
  { ...base, name: 'stream', request: 'stream', load: saturated(1500, 5, 64), goal: 1.1 },
  { ...base, name: 'agent', request: 'agent', load: saturated(192, 3, 32), goal: 1.05 },
  { ...base, name: 'converted', request: 'converted', load: saturated(1500, 5, 64), goal: 1.2 },
  { ...base, name: 'large', request: 'large', load: saturated(8000, 10, 16), goal: 1.3 },
  { ...base, name: 'huge', request: 'huge', load: saturated(1200, 6, 8), goal: 1 },
  { ...base, name: 'image', request: 'image', load: saturated(1200, 6, 8), goal: 1 },
  { ...base, name: 'slow', request: 'slowStream', load: saturated(3000, 3, 1000), goal: 1.1 },
  { ...base, name: 'budgets', load: smallLoad, isBudgeted: true, goal: 1.03 },
  { ...base, name: 'pace', load: paced(200, 10, 4) },
  { ...base, name: 'pace-after', load: { ...paced(50, 30, 1), after: 60 } },
  { ...base, name: 'pace-rows', logRows: million, load: paced(200, 10, 4) },
  { ...base, name: 'pace-first', request: 'stream', load: { ...paced(20, 10, 4), timed: 'first' } },
  { ...base, name: 'pace-events', request: 'timed', load: { ...paced(20, 10, 4), timed: 'event' } },
  { ...base, name: 'pace-listing', logRows: million, load: paced(200, 10, 4), isListing: true },
];

const timedTitles: Readonly<Record<Timed, string>> = {
  reply: 'whole replies',
  first: 'first byte',
  event: 'each event',
};

const number = (value: number) => value.toLocaleString('en');

export function titleOf(scenario: Scenario): string {
  const { request, users, logRows, load, isListing, isBudgeted } = scenario;
  return [
    requests[request].title,
    users === 1 ? 'one user' : `${number(users)} users`,
    ...(logRows === 0 ? [] : [`${number(logRows)} log rows`]),
    ...(load.kind === 'pace' ? [`${load.perSecond} per second`] : [`${load.concurrency} at once`]),
    ...(load.kind === 'pace' && load.timed !== undefined ? [timedTitles[load.timed]] : []),
    ...(load.kind === 'pace' && load.after !== undefined
      ? [`after ${load.after} s of saturation`]
      : []),
    ...(isBudgeted ? ['three budgets and a fence'] : []),
    ...(isListing ? ['beside lists of logs'] : []),
  ].join(', ');
}

/**
 * The same scenario with less load and fewer log rows, for a quick look. Streams that are open at
 * once stay as many.
 */
export function scaled(scenario: Scenario, scale: number): Scenario {
  const { load } = scenario;
  const less = (value: number) => Math.max(1, Math.round(value * scale));
  const smaller =
    load.kind === 'pace'
      ? {
          ...load,
          seconds: load.seconds * scale,
          ...(load.after === undefined ? {} : { after: load.after * scale }),
        }
      : {
          ...load,
          count: scenario.name === 'slow' && scale >= 0.1 ? load.count : less(load.count),
        };
  return {
    ...scenario,
    logRows: scenario.logRows === 0 ? 0 : less(scenario.logRows),
    load: smaller,
  };
}
