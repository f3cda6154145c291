/** What a run found, for people. */
import { type Condition, inMb } from './leaks.ts';
import type { Step } from './run.ts';
import type { Settings } from './settings.ts';

const checks = [
  'ledger verify',
  'holds',
  'requests under way',
  'connections',
  'timers',
  'open files',
  'memory',
  'rows',
  'charges',
  'half answers',
];

export function stepLine({ index, kind, outcome }: Step): string {
  const { requests, reached, whole, charged, unlogged, quietMs, violations } = outcome;
  const state = violations.length === 0 ? 'ok' : `FAILED (${violations.length})`;
  const more = unlogged > 0 ? `, ${unlogged} rows over the limit` : '';
  return `${String(index).padStart(4)} ${kind.padEnd(20)} ${requests} requests, ${reached} upstream, ${whole} whole, ${charged} charged${more}, quiet after ${quietMs} ms: ${state}`;
}

export function reportOf(
  settings: Settings,
  steps: readonly Step[],
  minutes: number,
  baseline: Condition | undefined,
): string {
  const { seed, engine, processes } = settings;
  const sum = (of: (step: Step) => number, among = steps) =>
    among.reduce((total, step) => total + of(step), 0);
  const byKind = Map.groupBy(steps, ({ kind }) => kind);
  const width = Math.max(...[...byKind.keys()].map((name) => name.length));
  const lines = [...byKind].map(([name, own]) => {
    const failed = own.filter(({ outcome }) => outcome.violations.length > 0).length;
    const requests = sum(({ outcome }) => outcome.requests, own);
    const verdict = failed === 0 ? 'ok' : `${failed} failed`;
    return `  ${name.padEnd(width)}  ${String(own.length).padStart(4)} times  ${String(requests).padStart(7)} requests  ${verdict}`;
  });
  const last = steps.at(-1)?.outcome.condition;
  const failed = steps.filter(({ outcome }) => outcome.violations.length > 0).length;
  const where = `${engine}, ${processes === 1 ? 'one process' : 'two processes'}`;
  return [
    `seed ${seed}, ${where}, ${minutes.toFixed(1)} minutes, ${steps.length} faults`,
    ...lines,
    `checked after each: ${checks.join(', ')}`,
    [
      `${sum(({ outcome }) => outcome.requests)} requests`,
      `${sum(({ outcome }) => outcome.reached)} reached an upstream`,
      `${sum(({ outcome }) => outcome.whole)} whole answers`,
      `${sum(({ outcome }) => outcome.charged)} charges`,
      `${sum(({ outcome }) => outcome.unlogged)} rows of errors over the limit`,
    ].join(', '),
    ...(last === undefined || baseline === undefined
      ? []
      : [
          `heap ${inMb(baseline.heapUsed)} → ${inMb(last.heapUsed)}, memory ${inMb(baseline.rss)} → ${inMb(last.rss)}`,
        ]),
    failed === 0 ? 'all held' : `${failed} steps failed`,
    '',
  ].join('\n');
}
