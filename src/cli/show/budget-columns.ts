/** The open windows of budgets, a row each: how much is spent of what, until when. */
import type { BudgetEntity, BudgetStatus, BudgetWindow } from '../../core/contract/budgets.ts';
import { windowName } from '../../core/entities/budget-window-name.ts';
import type { Language } from '../../core/i18n/translate.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { usedUpAt } from '../../core/vocabulary/budget-forecast.ts';
import {
  nearShare,
  neverEnds,
  rateKinds,
  rateShare,
  shareOf,
  wireRates,
} from '../../core/vocabulary/budgets.ts';
import { localize } from '../base/text.ts';
import type { Column } from './table.ts';
import { formatSpan } from './times.ts';

/** A budget and one of its open windows, whose id is 0 where there is none. */
export interface BudgetRow extends BudgetStatus {
  readonly open: BudgetWindow;
}

/** A budget without an open window has a row, too. */
export function budgetRows(budgets: readonly BudgetStatus[]): readonly BudgetRow[] {
  const unused = { id: 0, subject: '', name: '', starts_at: 0, ends_at: neverEnds, spent: 0 };
  return budgets.flatMap((budget) => {
    const { windows, amount } = budget;
    const shown = windows.length > 0 ? windows : [{ ...unused, limit: amount, left: amount }];
    return shown.map((open) => ({ ...budget, open }));
  });
}

/** What is spent of the window or, where there is no amount, in use of the rates; from 0. */
export const rowShare = (row: BudgetRow): number =>
  row.period === 'none' ? rateShare(row) : shareOf(row.open);

/** `5 / 60 a minute, 2 at once`: what counts now where it is known, and what may. */
export function ratesText(budget: BudgetStatus, language: Language): string {
  const { rates_used: used } = budget;
  const rates = wireRates(budget);
  return rateKinds
    .filter((kind) => rates[kind] > 0)
    .map((kind) => {
      const limit = formatCount(rates[kind]);
      const figure = used === null ? limit : `${formatCount(used[kind])} / ${limit}`;
      return localize(language, texts[kind], { figure, limit: rates[kind] });
    })
    .join(language === 'zh' ? '，' : ', ');
}

const texts = {
  requests: { en: '{figure} {limit:request|requests} a minute', zh: '每分钟 {figure} 次' },
  tokens: { en: '{figure} {limit:token|tokens} a minute', zh: '每分钟 {figure} token' },
  parallel: { en: '{figure} at once', zh: '并发 {figure}' },
} as const;

/** Of which week a budget counts matters to one of weeks only. */
export const weekStartColumn = {
  value: ({ period, week_start: day }: BudgetEntity) => (period === 'week' ? String(day) : ''),
  cardOnly: true,
};

/** `drawBar` gets what is spent of the limit, from 0. */
export function budgetWindowColumns(
  drawBar: (share: number) => string,
): readonly Column<BudgetRow>[] {
  return [
    {
      title: { en: 'budget', zh: '预算' },
      value: ({ id, name }) => `#${id} ${name}`.trim(),
    },
    {
      title: { en: 'for', zh: '对象' },
      value: (row, { language }) =>
        [row.owner, row.owner_name || row.owner_id, row.each, windowName(row, row.open, language)]
          .filter(Boolean)
          .join(' '),
      width: 12,
    },
    {
      title: { en: 'window id', zh: '窗口编号' },
      value: ({ open }) => (open.id === 0 ? '' : String(open.id)),
      align: 'right',
      width: 9,
      expendable: 1,
    },
    {
      title: { en: 'spent', zh: '已用' },
      value: (row) => `${drawBar(rowShare(row))} ${Math.floor(rowShare(row) * 100)} %`,
      tone: (row) => {
        if (!row.enabled) return 'dim';
        const share = rowShare(row);
        return share >= 1 ? 'error' : share >= nearShare ? 'warn' : 'ok';
      },
      width: 16,
    },
    {
      title: { en: 'of', zh: '额度' },
      value: (row, { money, language }) =>
        row.period === 'none'
          ? ratesText(row, language)
          : `${money.total(row.open.spent)} / ${money.total(row.open.limit)}`,
      align: 'right',
      width: 17,
    },
    {
      title: { en: 'resets in', zh: '重置倒计时' },
      value: ({ open: { ends_at: endsAt } }, view) =>
        endsAt === neverEnds ? '' : formatSpan(endsAt - view.now, view.language),
      width: 11,
      expendable: 2,
    },
    {
      title: { en: 'empty in', zh: '预计用完' },
      value: (row, view) => {
        const at = row.enabled && row.open.id > 0 ? usedUpAt(row.open, view.now) : undefined;
        return at === undefined ? '' : formatSpan(at - view.now, view.language);
      },
      // The terminal has it in the card.
      width: 0,
    },
  ];
}
