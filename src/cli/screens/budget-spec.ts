/** The view of budgets: their open windows with bars, and more for one of them. */
import { everyRow } from '../../core/contract/every-row.ts';
import { budgetFields } from '../../core/entities/budget.ts';
import { budgetStateOf } from '../../core/vocabulary/budgets.ts';
import { bar } from '../kit/charts.ts';
import type { Glyphs } from '../kit/glyphs.ts';
import {
  type BudgetRow,
  budgetRows,
  budgetWindowColumns,
  rowShare,
  weekStartColumn,
} from '../show/budget-columns.ts';
import { entityColumns } from '../show/entity-columns.ts';
import { readAmount } from './amounts.ts';
import { declaredFields } from './declared-fields.ts';
import type { EntityCommand, EntitySpec } from './entity-spec.ts';
import { createBudget } from './new-budget.ts';
import { viewTitles } from './view.ts';

/** Cells of the bar of a window. */
const barWidth = 10;

const nameOf = ({ id, name }: BudgetRow) => name || `#${id}`;

/** Adds to what may be spent in one window; of a row without one it says so. */
export function grantCommand<Row>(
  nameOf: (row: Row) => string,
  idsOf: (row: Row) => { readonly id: number; readonly window: number },
): EntityCommand<Row> {
  return {
    action: 'grant',
    run(host, { rows: [row], reload }) {
      if (row === undefined) return;
      const ids = idsOf(row);
      if (ids.window === 0) return host.showMessage(host.localize(texts.unused), 'warn');
      host.prompt(texts.grant, nameOf(row), '', async (text) => {
        await host.client.budgets.grant({ ...ids, amount: readAmount(host, text) });
        await reload();
        host.showMessage(host.localize(texts.granted, { name: nameOf(row) }), 'ok');
      });
    },
  };
}

/** A bar of {@link barWidth} cells. */
export const shareBar =
  (glyphs: Glyphs) =>
  (share: number): string =>
    bar(Math.min(1, share), 1, barWidth, glyphs).padEnd(barWidth, glyphs.untried);

/** Only in the card: the list shows them in other words or not at all. */
const cardColumns = entityColumns<typeof budgetFields, BudgetRow>(budgetFields, {
  each: {},
  amount: {},
  period: {},
  window: {},
  time_zone: {},
  closed_days: {},
  closed_hours: {},
  models: {},
  carry_over: {},
  at_end: {},
  thresholds: {},
  most_requests: {},
  most_minutes: {},
  most_repeats: {},
  most_pace: {},
  requests_per_minute: {},
  tokens_per_minute: {},
  parallel_requests: {},
  enabled: {},
  week_start: weekStartColumn,
  id: false,
  name: false,
  owner: false,
  owner_id: false,
}).map((column) => ({ ...column, cardOnly: true }));

export const budgetSpec = (glyphs: Glyphs): EntitySpec<BudgetRow> => ({
  title: viewTitles.budgets,
  columns: [...budgetWindowColumns(shareBar(glyphs)), ...cardColumns],
  // A budget without a window has a row of its own, whose number no window has.
  keyOf: ({ id, open }) => (open.id === 0 ? -id : open.id),
  nameOf,
  state: (row) => {
    const state = budgetStateOf({ ...row, windows: [row.open] });
    if (state === 'off') return { glyph: glyphs.off, tone: 'dim' };
    if (state === 'passed') return { glyph: glyphs.failed, tone: 'error' };
    if (state === 'near') return { glyph: glyphs.slow, tone: 'warn' };
    return { glyph: glyphs.on, tone: state === 'unused' ? 'dim' : 'ok' };
  },
  load: async ({ client }, filter) => {
    const words = filter.toLowerCase().split(/\s+/);
    const items = budgetRows(await everyRow((page) => client.budgets.status(page)))
      .filter(({ id, name, owner, owner_id, owner_name, open }) => {
        const text = `#${id} ${name} ${owner} ${owner_id} ${owner_name} ${open.name}`;
        return words.every((word) => text.toLowerCase().includes(word));
      })
      .toSorted((one, other) => rowShare(other) - rowShare(one));
    return { items, total: items.length };
  },
  toggle: {
    isOn: (row) => row.enabled,
    apply: async ({ client }, { id }, enabled) => {
      await client.budgets.update({ id, enabled });
    },
  },
  remove: async ({ client }, { id }) => {
    await client.budgets.remove({ id });
  },
  fields: declaredFields(
    budgetFields,
    [
      'name',
      'amount',
      'period',
      'each',
      'closed_days',
      'closed_hours',
      'models',
      'carry_over',
      'most_requests',
      'most_minutes',
      'most_repeats',
      'most_pace',
      'requests_per_minute',
      'tokens_per_minute',
      'parallel_requests',
      'at_end',
      'thresholds',
      'time_zone',
    ],
    ({ client }, { id }: BudgetRow, changes) => client.budgets.update({ ...changes, id }),
  ),
  commands: [grantCommand(nameOf, ({ id, open }) => ({ id, window: open.id })), createBudget],
  orders: [
    { title: { en: 'amount', zh: '额度' }, figure: (row) => row.open.limit },
    { title: { en: 'spent', zh: '已用' }, figure: (row) => row.open.spent },
    { title: { en: 'name', zh: '名称' }, figure: (row) => row.name },
  ],
});

const texts = {
  grant: { en: 'add to this window of {name}: ', zh: '为 {name} 的当前窗口追加：' },
  granted: { en: 'Added to {name}', zh: '已为 {name} 追加额度' },
  unused: {
    en: 'It has no open window: it begins with the first request',
    zh: '没有当前窗口：首次使用时开始',
  },
} as const;
