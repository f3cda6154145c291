/**
 * The check boxes of a table: one row, all rows of the page, and with Shift all rows since the last
 * one.
 */
import { useRef } from 'react';
import type { Selection } from './columns.ts';

export interface RowSelection<T> {
  readonly all: boolean;
  readonly some: boolean;
  toggleAll(): void;
  has(row: T): boolean;
  canSelect(row: T): boolean;
  nameOf(row: T): string;
  /** `range`: Shift was held. */
  toggle(row: T, range: boolean): void;
}

export function useRowSelection<T>(
  rows: readonly T[],
  keyOf: (row: T) => string | number,
  selection: Selection<T> | undefined,
): RowSelection<T> | undefined {
  const last = useRef<string | number>(undefined);
  if (selection === undefined) return undefined;
  const { selected, onChange, nameOf } = selection;
  const canSelect = (row: T) => selection.selectable?.(row) ?? true;
  const candidates = rows.filter(canSelect);
  const keys = new Set(selected.map(keyOf));
  const has = (row: T) => keys.has(keyOf(row));
  const all = candidates.length > 0 && candidates.every(has);
  const rangeTo = (row: T) => {
    const places = [
      candidates.findIndex((other) => keyOf(other) === last.current),
      candidates.indexOf(row),
    ];
    if (places.includes(-1)) return [row];
    return candidates.slice(Math.min(...places), Math.max(...places) + 1);
  };
  return {
    all,
    some: candidates.some(has),
    toggleAll: () => onChange(all ? [] : candidates),
    has,
    canSelect,
    nameOf,
    toggle: (row, range) => {
      if (!canSelect(row)) return;
      const touched = new Set((range ? rangeTo(row) : [row]).map(keyOf));
      const others = selected.filter((other) => !touched.has(keyOf(other)));
      onChange(
        has(row) ? others : [...others, ...candidates.filter((other) => touched.has(keyOf(other)))],
      );
      last.current = keyOf(row);
    },
  };
}
