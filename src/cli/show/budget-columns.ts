/** The open windows of budgets, a row each: how much is spent of what, until when. */
import type { BudgetStatus, BudgetWindow } from '../../core/contract/budgets.ts';
import { nearShare, neverEnds, shareOf } from '../../core/vocabulary/budgets.ts';
import type { Column } from './table.ts';
import { formatSpan } from './times.ts';

/** A budget and one of its windows; the window's id is 0 where none is open. */
export interface BudgetRow extends BudgetStatus {
  readonly window: BudgetWindow;
}

/** A budget without an open window has a row, too. */
export function budgetRows(budgets: readonly BudgetStatus[]): readonly BudgetRow[] {
  const unused = { id: 0, subject: '', name: '', starts_at: 0, ends_at: neverEnds, spent: 0 };
  return budgets.flatMap((budget) => {
    const { windows, amount } = budget;
    const shown = windows.length > 0 ? windows : [{ ...unused, limit: amount, left: amount }];
    return shown.map((window) => ({ ...budget, window }));
  });
}

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
      value: ({ owner, owner_id, owner_name, each, window }) =>
        [owner, owner_name || owner_id, each, window.name || window.subject]
          .filter(Boolean)
          .join(' '),
    },
    {
      title: { en: 'window', zh: '窗口' },
      value: ({ window }) => (window.id === 0 ? '' : String(window.id)),
      align: 'right',
      width: 6,
      expendable: 1,
    },
    {
      title: { en: 'spent', zh: '已用' },
      value: ({ window }) => `${drawBar(shareOf(window))} ${Math.floor(shareOf(window) * 100)} %`,
      tone: ({ enabled, window }) => {
        if (!enabled) return 'dim';
        const share = shareOf(window);
        return share >= 1 ? 'error' : share >= nearShare ? 'warn' : 'ok';
      },
      width: 16,
    },
    {
      title: { en: 'of', zh: '额度' },
      value: ({ window }, { money }) =>
        `${money.total(window.spent)} / ${money.total(window.limit)}`,
      align: 'right',
      width: 17,
    },
    {
      title: { en: 'begins anew in', zh: '重置倒计时' },
      value: ({ window: { ends_at: endsAt } }, view) =>
        endsAt === neverEnds ? '' : formatSpan(endsAt - view.now, view.language),
      width: 14,
      expendable: 2,
    },
  ];
}
