/** Lists that the API gives in pages: one page, or with `--all` every row. */
import { everyRow } from '../../core/contract/every-row.ts';
import { maxPageSize } from '../../core/kernel/page.ts';
import { type Flag, readInteger, type Values } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import type { Output } from '../show/output.ts';
import { progressBar } from '../show/progress-bar.ts';

export interface Listing<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

/**
 * `--page` counts from 1, whatever the API does. `from`: first page of the API; `field`: its name
 * there.
 */
export function pageFlags(from: 0 | 1, field = 'p'): readonly Flag[] {
  const bounds = { min: 1 };
  return [
    {
      name: 'page',
      kind: 'integer',
      placeholder: 'N',
      ...bounds,
      field,
      read: (text) => readInteger('page', text, bounds) - 1 + from,
      summary: { en: 'Page number, from 1', zh: '页码，从 1 开始' },
    },
    {
      name: 'page-size',
      kind: 'integer',
      placeholder: 'N',
      field: 'page_size',
      min: 1,
      max: maxPageSize,
      summary: {
        en: `Rows per page, at most ${maxPageSize} (default 10)`,
        zh: `每页行数，至多 ${maxPageSize}（默认 10）`,
      },
    },
    {
      name: 'all',
      kind: 'switch',
      summary: { en: 'All rows instead of one page', zh: '输出全部行，不分页' },
    },
  ];
}

/**
 * The page that the flags name, or with `--all` the rows of all pages; `fetch` gets the input of
 * the flags. A row that moves to the next page meanwhile, because newer ones arrive, is listed
 * once. Throws UsageError for `--all` with `--page`.
 */
export async function readRows<Row>(
  { values, output }: { readonly values: Values; readonly output: Output },
  fetch: (input: Record<string, unknown>) => Promise<Listing<Row>>,
): Promise<Listing<Row>> {
  const input = values.input();
  const page = values.on('all') ? values.flag('page') : undefined;
  if (page?.field === undefined || page.read === undefined) return fetch(input);
  if (values.typed('page') !== undefined) throw new UsageError(texts.allOrPage);
  const { field, read } = page;
  try {
    const items = await everyRow(({ p, page_size }) => fetch({ ...input, [field]: p, page_size }), {
      first: Number(read('1')),
      onPage: (count, total) => output.progress(progressBar(count, total)),
    });
    return { items, total: items.length };
  } finally {
    output.progress(undefined);
  }
}

const texts = {
  allOrPage: { en: 'Use either --all or --page', zh: '--all 与 --page 只能选一个' },
} satisfies Record<string, Text>;
