/**
 * What the tests of a file start, counted as it is started: what a file costs, and what kind of
 * file it is.
 */
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** A file is of the first kind that it uses; of the last if it uses none. */
export const kinds = [
  'browser',
  'terminal',
  'process',
  'PostgreSQL',
  'MariaDB',
  'Redis',
  'gateway',
  'app',
  'pure',
] as const;
export type Kind = (typeof kinds)[number];
export type Usage = Partial<Record<Kind, number>>;

let usage: Usage = {};

/**
 * Of what a support module starts without a process: an app in memory, a window of the shared
 * browser, a database.
 */
export function countUse(kind: Kind): void {
  usage[kind] = (usage[kind] ?? 0) + 1;
}

/** What was used since the last call. */
export function takeUsage(): Usage {
  const taken = usage;
  usage = {};
  return taken;
}

const programs: readonly (readonly [RegExp, Kind])[] = [
  [/chrom|edge/i, 'browser'],
  [/tmux/, 'terminal'],
  [/^(mariadb|mysql)d/, 'MariaDB'],
  [/^redis-server/, 'Redis'],
  [/^postgres/, 'PostgreSQL'],
];

let isCounting = false;

/** From now on the processes that are started count. */
export function countProcesses(): void {
  if (isCounting) return;
  isCounting = true;
  subscribe('tracing:child_process.spawn:start', (message) => {
    const { spawnfile } = (message as { process: { spawnfile: string } }).process;
    countUse(programs.find(([name]) => name.test(basename(spawnfile)))?.[1] ?? 'process');
  });
}

/**
 * CPU seconds of this process and of its children that have ended; on Linux only, elsewhere without
 * children.
 */
export function cpuSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}
