import { useCallback, useState } from 'react';
import type { RowKey } from './use-list.ts';

/** Which rows are open. Only one, unless a row is opened with `keep` (docs/rules/console.md#expansion). */
export function useExpansion<Row>(keyOf: (row: Row) => RowKey) {
  const [open, setOpen] = useState<readonly RowKey[]>([]);
  const toggle = useCallback(
    (row: Row, keep: boolean) => {
      const key = keyOf(row);
      setOpen((before) => (before.includes(key) ? before.filter((other) => other !== key) : keep ? [...before, key] : [key]));
    },
    [keyOf],
  );
  return { open, toggle };
}
