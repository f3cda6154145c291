/**
 * Loaded into a gateway before its own code: lets the suite shift its clock and look at its timers,
 * handles and memory. Answers on a Unix socket, one line of JSON for each.
 */
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/** What the suite asks for. */
export type Inquiry = { readonly ask: 'look' } | { readonly ask: 'shift'; readonly ms: number };

export interface Look {
  /** After a full collection, in bytes. */
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
  /** Timers that are set, by the place in the source that set them. */
  readonly timers: Readonly<Record<string, number>>;
  /** What keeps the event loop alive, by its type. */
  readonly resources: Readonly<Record<string, number>>;
}

const sharedClock = 'faults: clock';
if (isMainThread) setEnvironmentData(sharedClock, new SharedArrayBuffer(8) as never);
/** Milliseconds that are added to the time, in all threads. */
const shift = new Float64Array(getEnvironmentData(sharedClock) as unknown as SharedArrayBuffer);

const RealDate = Date;
class ShiftedDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    if (given.length === 0) super(ShiftedDate.now());
    else super(...(given as [number]));
  }

  static override now(): number {
    return RealDate.now() + (shift[0] ?? 0);
  }
}
globalThis.Date = ShiftedDate as DateConstructor;

/** Timers that were set, by where; those that have ended are dropped now and then. */
const timers = new Map<NodeJS.Timeout, string>();
const mostTimers = 20_000;

function dropEnded(): void {
  for (const timer of timers.keys())
    if ((timer as { _destroyed?: boolean })._destroyed === true) timers.delete(timer);
}

/** The innermost place in the program's own source. */
function placeOf(stack: string): string {
  const lines = stack.split('\n').slice(2);
  const own =
    lines.find((line) => line.includes('/src/')) ??
    lines.find((line) => line.includes('/node_modules/')) ??
    '';
  return /\/((?:src|node_modules)\/[^)]*?):\d+\)?$/.exec(own)?.[1] ?? 'node';
}

function watched<Set extends typeof setTimeout | typeof setInterval>(set: Set): Set {
  const watching = (...given: Parameters<Set>) => {
    const timer = (set as (...all: unknown[]) => NodeJS.Timeout)(...given);
    if (timers.size >= mostTimers) dropEnded();
    timers.set(timer, placeOf(new Error().stack ?? ''));
    return timer;
  };
  // The promise form among them.
  return Object.defineProperties(watching, Object.getOwnPropertyDescriptors(set)) as unknown as Set;
}

if (isMainThread) {
  globalThis.setTimeout = watched(setTimeout);
  globalThis.setInterval = watched(setInterval);
  listen(process.env['FAULTS_SOCKET']);
}

function countBy(names: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

let collect: (() => void) | undefined;

async function look(): Promise<Look> {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  for (let round = 0; round < 3; round += 1) {
    collect();
    // what is finalised is freed by the next round
    await new Promise((resolve) => setImmediate(resolve));
  }
  dropEnded();
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    heapUsed,
    external,
    rss,
    timers: countBy(timers.values()),
    resources: countBy(process.getActiveResourcesInfo()),
  };
}

async function answer(inquiry: Inquiry): Promise<unknown> {
  if (inquiry.ask === 'look') return look();
  shift[0] = inquiry.ms;
  return {};
}

function listen(path: string | undefined): void {
  if (path === undefined) return;
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (line) => {
      void answer(JSON.parse(String(line)) as Inquiry).then((reply) =>
        socket.end(`${JSON.stringify(reply)}\n`),
      );
    });
  });
  server.listen(path).unref();
}
