/** How a configuration file calls what has a number and a name that others may have too. */
import { UsageError } from '../../base/usage-error.ts';
import type { Path, Problems } from './problems.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/**
 * By name; those that share a name, or have none, by `NAME#ID`. Throws UsageError for a label that
 * two would have.
 */
export function byLabel<Row extends Named>(live: readonly Row[]): ReadonlyMap<string, Row> {
  const count = new Map<string, number>();
  for (const { name } of live) count.set(name, (count.get(name) ?? 0) + 1);
  const found = new Map<string, Row>();
  for (const row of live) {
    const isAlone = row.name !== '' && count.get(row.name) === 1;
    const label = isAlone ? row.name : `${row.name}#${row.id}`;
    const other = found.get(label);
    if (other !== undefined)
      throw new UsageError(texts.double, { name: label, first: other.id, second: row.id });
    found.set(label, row);
  }
  return found;
}

/** Whether several have the name that the file uses, which is a problem of its place. */
export function isShared(
  path: Path,
  name: string,
  live: readonly Named[],
  problems: Problems,
): boolean {
  const same = live.filter((row) => row.name === name);
  if (same.length === 0) return false;
  const labels = same.map(({ id }) => `${name}#${id}`).sort();
  problems.add(path, texts.several, { labels: labels.join(', ') });
  return true;
}

const texts = {
  double: {
    en: 'numbers {first} and {second} would both be called {name} in the file: rename one',
    zh: '编号 {first} 与 {second} 在文件中会同名（{name}），请先改名',
  },
  several: {
    en: 'several have this name; name the one that is meant: {labels}',
    zh: '有多个同名条目，请写明所指的一个：{labels}',
  },
} as const;
