/**
 * Rows that are all here, shown ten at a time: search, page and selection
 * (docs/rules/console.md#price-area).
 */
import { useState } from 'react';

/** Fixed: the table stands among other settings. */
export const pageSize = 10;

export function useRowsPage<Row>(
  all: readonly Row[],
  nameOf: (row: Row) => string,
  firstSearch = '',
) {
  const [search, setSearch] = useState(firstSearch);
  const [wanted, setPage] = useState(1);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const word = search.trim().toLowerCase();
  const found = word === '' ? all : all.filter((row) => nameOf(row).toLowerCase().includes(word));
  const page = Math.min(wanted, Math.max(1, Math.ceil(found.length / pageSize)));
  const rows = found.slice((page - 1) * pageSize, page * pageSize);
  const clear = () => setPicked(new Set());
  return {
    search,
    setSearch: (text: string) => {
      setSearch(text);
      setPage(1);
      clear();
    },
    /** All rows that match. */
    found,
    rows,
    page,
    goTo: (next: number) => {
      setPage(next);
      clear();
    },
    selected: rows.filter((row) => picked.has(nameOf(row))),
    select: (next: readonly Row[]) => setPicked(new Set(next.map(nameOf))),
  };
}
