/** What a process and all of its descendants use, from /proc (Linux). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // A thread or process that has just ended.
  }
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Nothing of process 0, which stands for one that is not known. */
function treeOf(pid: number): readonly number[] {
  if (pid === 0) return [];
  const below = threadsOf(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').map(Number).filter(Boolean),
  );
  return [pid, ...below.flatMap(treeOf)];
}

/** Nanoseconds of processor time by thread. */
export type CpuTimes = ReadonlyMap<string, number>;

/** Of these processes and all below them. */
export function cpuTimes(...pids: readonly number[]): CpuTimes {
  const times = new Map<string, number>();
  for (const process of pids.flatMap(treeOf)) {
    for (const thread of threadsOf(process)) {
      const [running] = read(`/proc/${process}/task/${thread}/schedstat`).split(' ');
      times.set(thread, Number(running));
    }
  }
  return times;
}

/** Microseconds between two readings; a thread that has ended since is not counted. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): number {
  let nanoseconds = 0;
  for (const [thread, time] of after) nanoseconds += Math.max(0, time - (before.get(thread) ?? 0));
  return nanoseconds / 1000;
}

const sumOver = (pid: number, file: string, pattern: RegExp): number =>
  treeOf(pid).reduce(
    (sum, process) => sum + Number(pattern.exec(read(`/proc/${process}/${file}`))?.[1] ?? 0),
    0,
  );

const wcharOf = (path: string): number => Number(/^wchar: (\d+)/m.exec(read(path))?.[1] ?? 0);

/**
 * Bytes written by all threads but the main one, which writes to sockets and to no database. Not
 * the kernel's `write_bytes`: it counts a whole folio of the page cache, up to some hundred KB,
 * when 4 KB of it change.
 */
export const writtenBytes = (pid: number): number =>
  treeOf(pid).reduce(
    (sum, process) =>
      sum + wcharOf(`/proc/${process}/io`) - wcharOf(`/proc/${process}/task/${process}/io`),
    0,
  );

/** The largest resident memory since {@link resetPeak}. */
export const peakMegabytes = (pid: number): number =>
  Math.round(sumOver(pid, 'status', /^VmHWM:\s+(\d+)/m) / 1024);

export function resetPeak(pid: number): void {
  if (pid === 0) return;
  for (const process of treeOf(pid)) writeFileSync(`/proc/${process}/clear_refs`, '5');
}
