/** Figures as tables in Markdown. */
import { cpus } from 'node:os';
import { histogramLimits } from './latencies.ts';
import type { Figure, PaceFigure } from './measure.ts';

export interface ScenarioReport {
  readonly name: string;
  readonly title: string;
  readonly figures: readonly Figure[];
}

export interface BenchReport {
  readonly machine: string;
  readonly cores: number;
  readonly node: string;
  readonly date: string;
  readonly scenarios: readonly ScenarioReport[];
}

export function reportOf(scenarios: readonly ScenarioReport[]): BenchReport {
  const all = cpus();
  const date = new Date().toISOString().slice(0, 10);
  return {
    machine: all[0]?.model ?? 'unknown',
    cores: all.length,
    node: process.version,
    date,
    scenarios,
  };
}

type Column = readonly [title: string, text: (figure: Figure) => string];

const milliseconds = (value: number) =>
  value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0);
const ofPace =
  (text: (pace: PaceFigure) => number): Column[1] =>
  (figure) =>
    figure.pace === undefined ? '' : milliseconds(text(figure.pace));

const cost: readonly Column[] = [
  ['CPU µs per request', ({ cpu }) => String(Math.round(cpu))],
  ['rounds', ({ cpuRange }) => cpuRange.map(Math.round).join('–')],
  ['ratio', ({ ratio }) => ratio.toFixed(2)],
  ['KB written per request', ({ writtenKilobytes }) => writtenKilobytes.toFixed(1)],
  ['peak MB', (figure) => String(figure.peakMegabytes)],
  ['failed', ({ failed }) => String(failed)],
];
const saturationColumns: readonly Column[] = [
  ['', ({ target }) => target],
  ['requests per second', ({ perSecond = 0 }) => String(Math.round(perSecond))],
  ...cost,
];
const paceColumns: readonly Column[] = [
  ['', ({ target }) => target],
  ['p50 ms', ofPace(({ latency }) => latency.p50)],
  ['p99 ms', ofPace(({ latency }) => latency.p99)],
  ['worst ms', ofPace(({ latency }) => latency.worst)],
  ['added p50', ofPace(({ latency, direct }) => latency.p50 - direct.p50)],
  ['added p99', ofPace(({ latency, direct }) => latency.p99 - direct.p99)],
  ...cost,
];

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(titles), `|${'---|'.repeat(titles.length)}`, ...rows.map(line)].join('\n');
}

const figureTable = (columns: readonly Column[], figures: readonly Figure[]): string =>
  table(
    columns.map(([title]) => title),
    figures.map((figure) => columns.map(([, text]) => text(figure))),
  );

/** How many requests took how long, beside the direct calls of the same rounds. */
function histogramTable(figures: readonly Figure[]): string {
  const limits = [
    ...histogramLimits.map((limit) => `≤ ${limit} ms`),
    `> ${histogramLimits.at(-1)} ms`,
  ];
  const rows = figures.flatMap(({ target, pace }) => {
    if (pace === undefined) return [];
    return [
      [target, ...pace.histogram.map(String)],
      [`direct, beside ${target}`, ...pace.directHistogram.map(String)],
    ];
  });
  return table(['requests', ...limits], rows);
}

function scenarioText({ name, title, figures }: ScenarioReport): string {
  const isPaced = figures.some(({ pace }) => pace !== undefined);
  const parts = isPaced
    ? [figureTable(paceColumns, figures), histogramTable(figures)]
    : [figureTable(saturationColumns, figures)];
  return [`${title} (${name})`, ...parts].join('\n\n');
}

export function reportText({ machine, cores, node, date, scenarios }: BenchReport): string {
  return [`${date}, ${machine}, ${cores} cores, Node ${node}`, ...scenarios.map(scenarioText)].join(
    '\n\n',
  );
}
