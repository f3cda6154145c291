/**
 * Figures of monitoring as they are read at one moment, and the text format of Prometheus
 * (https://prometheus.io/docs/instrumenting/exposition_formats/).
 */
import { durationBounds, type Histogram } from './histogram.ts';

export type Labels = Readonly<Record<string, string | number>>;
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}
export interface HistogramSeries {
  readonly labels: Labels;
  readonly histogram: Histogram;
}

interface Named {
  readonly name: string;
  readonly help: string;
}
/** A metric with all its series. */
export type Family = Named &
  (
    | { readonly kind: 'counter' | 'gauge'; readonly samples: readonly Sample[] }
    | { readonly kind: 'histogram'; readonly series: readonly HistogramSeries[] }
  );

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${String(value).replace(/[\\"\n]/g, (character) => escapes[character] ?? '')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

export class Exposition {
  readonly families: Family[] = [];

  add(kind: 'counter' | 'gauge', name: string, help: string, samples: readonly Sample[]): void {
    this.families.push({ kind, name, help, samples });
  }

  addHistogram(name: string, help: string, series: readonly HistogramSeries[]): void {
    this.families.push({ kind: 'histogram', name, help, series });
  }

  text(): string {
    return `${this.families.flatMap(linesOf).join('\n')}\n`;
  }
}

function linesOf(family: Family): readonly string[] {
  const { kind, name, help } = family;
  const lines =
    family.kind === 'histogram'
      ? family.series.flatMap((series) => histogramLines(name, series))
      : family.samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines];
}

function histogramLines(name: string, { labels, histogram }: HistogramSeries): readonly string[] {
  const { upTo, count, sum } = histogram.read();
  const bucket = (le: string | number, value: number) =>
    `${name}_bucket${labelText({ ...labels, le })} ${value}`;
  return [
    ...durationBounds.map((le, index) => bucket(le, upTo[index] ?? 0)),
    bucket('+Inf', count),
    `${name}_sum${labelText(labels)} ${sum}`,
    `${name}_count${labelText(labels)} ${count}`,
  ];
}
