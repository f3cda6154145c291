/**
 * Which columns a list shows, in which order and how dense: chosen by the reader and remembered
 * (docs/rules/console.md#tables).
 */
import { useCallback, useMemo, useState } from 'react';
import { isObject } from '../../core/kernel/json.ts';
import { readStoredJson, type StorageKey, writeStored } from '../browser/local-storage.ts';

export type Density = 'comfortable' | 'compact';

export interface ColumnChoice {
  readonly key: string;
  readonly label: string;
  readonly shown: boolean;
  /** Always shown: the name of a thing, its actions. */
  readonly fixed: boolean;
}

export interface ColumnSpec {
  readonly key: string;
  readonly label: string;
  readonly fixed?: boolean;
  /** Hidden until the reader asks for it. */
  readonly hidden?: boolean;
}

interface Stored {
  readonly order: readonly string[];
  readonly shown: Readonly<Record<string, boolean>>;
  readonly density: Density;
}

function readChoice(key: StorageKey): Stored {
  const value = readStoredJson(key);
  if (!isObject(value)) return { order: [], shown: {}, density: 'comfortable' };
  const order = Array.isArray(value['order'])
    ? value['order'].filter((name): name is string => typeof name === 'string')
    : [];
  // The family stores a flat map column → visible under the same key; it is read as such.
  const source = isObject(value['shown']) ? value['shown'] : value;
  const shown = Object.fromEntries(
    Object.entries(source).filter(
      (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
    ),
  );
  return { order, shown, density: value['density'] === 'compact' ? 'compact' : 'comfortable' };
}

/**
 * Columns in the reader's order; those the choice does not know keep their place behind the one
 * before them.
 */
export function orderColumns<T extends { readonly key: string }>(
  columns: readonly T[],
  order: readonly string[],
): readonly T[] {
  const known = order.filter((key) => columns.some((column) => column.key === key));
  const result: T[] = known.flatMap((key) => columns.filter((column) => column.key === key));
  columns.forEach((column, index) => {
    if (known.includes(column.key)) return;
    const before = columns[index - 1];
    const at = before === undefined ? 0 : result.findIndex((entry) => entry.key === before.key) + 1;
    result.splice(at, 0, column);
  });
  return result;
}

export function useColumns(storageKey: StorageKey, specs: readonly ColumnSpec[]) {
  const [stored, setStored] = useState(() => readChoice(storageKey));
  const store = useCallback(
    (next: Stored) => {
      setStored(next);
      writeStored(storageKey, JSON.stringify(next));
    },
    [storageKey],
  );
  const choices: readonly ColumnChoice[] = useMemo(
    () =>
      orderColumns(specs, stored.order).map(({ key, label, fixed = false, hidden = false }) => ({
        key,
        label,
        fixed,
        shown: fixed || (stored.shown[key] ?? !hidden),
      })),
    [specs, stored],
  );
  return {
    choices,
    density: stored.density,
    toggle: (key: string) =>
      store({
        ...stored,
        shown: { ...stored.shown, [key]: !choices.find((choice) => choice.key === key)?.shown },
      }),
    move: (key: string, to: number) => {
      const order = choices.map((choice) => choice.key);
      const from = order.indexOf(key);
      if (from < 0 || to < 0 || to >= order.length) return;
      order.splice(from, 1);
      order.splice(to, 0, key);
      store({ ...stored, order });
    },
    setDensity: (density: Density) => store({ ...stored, density }),
    reset: () => store({ order: [], shown: {}, density: 'comfortable' }),
  };
}
export type Columns = ReturnType<typeof useColumns>;
