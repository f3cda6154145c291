/** Sentences and spans of time about budgets. */
import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import type { BudgetEach, BudgetOwner, BudgetPeriod } from '../../../core/vocabulary/budgets.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';

type Facts = Pick<BudgetStatus, 'amount' | 'period' | 'each' | 'owner' | 'owner_id'>;

export function useBudgetWords() {
  const { t } = useTranslation();
  const money = useMoney();
  return {
    /** `$10.00 a day`. */
    amount: ({ amount, period }: Pick<Facts, 'amount' | 'period'>) =>
      t(`budget.per.${period as BudgetPeriod}`, { amount: money.total(amount).text }),
    /** What has the amount for itself. */
    each: ({ each }: Pick<Facts, 'each'>) =>
      t(each === '' ? 'budget.each.all' : `budget.each.${each as Exclude<BudgetEach, ''>}`),
    /** `Token app`; the id where there is no name. */
    owner: ({
      owner,
      owner_id,
      owner_name,
    }: Pick<BudgetStatus, 'owner' | 'owner_id' | 'owner_name'>) =>
      t(`budget.owner.${owner as BudgetOwner}.name`, {
        name: owner_name || (owner === 'group' ? owner_id : `#${owner_id}`),
      }),
    /** `5 h`; `seconds` of a span of time. */
    span: (seconds: number) => {
      if (seconds < 3600)
        return t('budget.minutes', { count: Math.max(1, Math.ceil(seconds / 60)) });
      if (seconds < 48 * 3600) return t('budget.hours', { count: Math.floor(seconds / 3600) });
      return t('budget.days', { count: Math.floor(seconds / 86_400) });
    },
  };
}
