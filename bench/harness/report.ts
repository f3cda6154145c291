/** Figures as tables in Markdown. */
import { cpus } from 'node:os';
import { histogramLimits } from './latencies.ts';
import type { Figure, PaceFigure } from './measure.ts';

export interface ScenarioReport {
  readonly name: string;
  readonly title: string;
  /** The ratio that the scenario is to keep. */
  readonly goal?: number | undefined;
  /** The ratios of the last accepted run, by target. */
  readonly accepted?: Ratios | undefined;
  readonly figures: readonly Figure[];
}

/** Ratios to the bare relay by target. */
export type Ratios = Readonly<Record<string, number>>;

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

type Column = readonly [title: string, text: (figure: Figure, scenario: ScenarioReport) => string];

const isGateway = (target: string) => target.startsWith('Turnpike');
const milliseconds = (value: number) =>
  value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0);
const ofPace =
  (text: (pace: PaceFigure) => number): Column[1] =>
  (figure) =>
    figure.pace === undefined ? '' : milliseconds(text(figure.pace));

const cost: readonly Column[] = [
  ['CPU µs per request', ({ cpu }) => (cpu === 0 ? '' : String(Math.round(cpu)))],
  ['rounds', ({ cpu, cpuRange }) => (cpu === 0 ? '' : cpuRange.map(Math.round).join('–'))],
  ['ratio', ({ ratio }) => (ratio === 0 ? '' : ratio.toFixed(2))],
  ['accepted', ({ target }, { accepted }) => accepted?.[target]?.toFixed(2) ?? ''],
  ['goal', ({ target }, { goal }) => (isGateway(target) ? (goal?.toFixed(2) ?? '') : '')],
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

const figureTable = (columns: readonly Column[], scenario: ScenarioReport): string =>
  table(
    columns.map(([title]) => title),
    scenario.figures.map((figure) => columns.map(([, text]) => text(figure, scenario))),
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

function scenarioText(scenario: ScenarioReport): string {
  const { name, title, figures } = scenario;
  const isPaced = figures.some(({ pace }) => pace !== undefined);
  const parts = isPaced
    ? [figureTable(paceColumns, scenario), histogramTable(figures)]
    : [figureTable(saturationColumns, scenario)];
  return [`${title} (${name})`, ...parts].join('\n\n');
}

export function reportText({ machine, cores, node, date, scenarios }: BenchReport): string {
  return [`${date}, ${machine}, ${cores} cores, Node ${node}`, ...scenarios.map(scenarioText)].join(
    '\n\n',
  );
}
