/** The text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
import { durationBounds, type Histogram } from './histogram.ts';

type Labels = Readonly<Record<string, string | number>>;
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${String(value).replace(/[\\"\n]/g, (character) => escapes[character] ?? '')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

export class Exposition {
  readonly #lines: string[] = [];

  add(kind: 'counter' | 'gauge', name: string, help: string, samples: readonly Sample[]): void {
    this.#head(kind, name, help);
    for (const { labels = {}, value } of samples)
      this.#lines.push(`${name}${labelText(labels)} ${value}`);
  }

  addHistogram(
    name: string,
    help: string,
    series: readonly { readonly labels: Labels; readonly histogram: Histogram }[],
  ): void {
    this.#head('histogram', name, help);
    for (const { labels, histogram } of series) {
      const { upTo, count, sum } = histogram.read();
      for (const [index, le] of durationBounds.entries())
        this.#lines.push(`${name}_bucket${labelText({ ...labels, le })} ${upTo[index] ?? 0}`);
      this.#lines.push(`${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${count}`);
      this.#lines.push(
        `${name}_sum${labelText(labels)} ${sum}`,
        `${name}_count${labelText(labels)} ${count}`,
      );
    }
  }

  #head(kind: string, name: string, help: string): void {
    this.#lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`);
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }
}
