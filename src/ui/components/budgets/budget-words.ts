/** Sentences and spans of time about budgets. */
import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import {
  type BudgetEach,
  type BudgetOwner,
  type BudgetPeriod,
  type Rates,
  rateKinds,
  wireRates,
} from '../../../core/vocabulary/budgets.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';

type Facts = Pick<BudgetStatus, 'each'>;
type Amounts = Pick<
  BudgetStatus,
  'amount' | 'period' | 'requests_per_minute' | 'tokens_per_minute' | 'parallel_requests'
>;

export function useBudgetWords() {
  const { t } = useTranslation();
  const money = useMoney();
  /** `60 requests a minute, 2 at once`; `used`: what counts now, where it is known. */
  const rates = (budget: Amounts, used: Rates | null = null) => {
    const limits = wireRates(budget);
    return rateKinds
      .filter((kind) => limits[kind] > 0)
      .map((kind) => {
        const limit = formatCount(limits[kind]);
        const figure = used === null ? limit : `${formatCount(used[kind])} / ${limit}`;
        return t(`budget.rate.${kind}`, { figure, count: limits[kind] });
      })
      .join(t('budget.rate.joint'));
  };
  return {
    rates,
    /** `$10.00 a day`; of rates alone what they are. */
    amount: (budget: Amounts) =>
      budget.period === 'none'
        ? rates(budget)
        : t(`budget.per.${budget.period as Exclude<BudgetPeriod, 'none'>}`, {
            amount: money.total(budget.amount).text,
          }),
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
        name: owner_name || (owner === 'group' || owner === 'model' ? owner_id : `#${owner_id}`),
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
