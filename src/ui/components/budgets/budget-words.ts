/** Sentences and spans of time about budgets. */
import type { BudgetStatus, BudgetWindow } from '../../../core/contract/budgets.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { usedUpAt } from '../../../core/vocabulary/budget-forecast.ts';
import {
  type BudgetEach,
  type BudgetOwner,
  type BudgetPeriod,
  type Rates,
  rateKinds,
  wireRates,
} from '../../../core/vocabulary/budgets.ts';
import { emptyDay } from '../../hooks/empty-day.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { clockTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';

type Facts = Pick<BudgetStatus, 'each'>;
type Amounts = Pick<
  BudgetStatus,
  'amount' | 'period' | 'requests_per_minute' | 'tokens_per_minute' | 'parallel_requests'
>;

const midnight = (day: Date) => new Date(day).setHours(0, 0, 0, 0);

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
    /** `At this pace used up on Thursday`; undefined: its window ends before. */
    forecast: (window: BudgetWindow, now = new Date()) => {
      const at = usedUpAt(window, Math.floor(now.getTime() / 1000));
      if (at === undefined) return undefined;
      const then = new Date(at * 1000);
      if (then.toDateString() === now.toDateString())
        return t('budget.forecast.today', { time: clockTime(at).slice(0, 5) });
      // Days by the calendar, so that tomorrow morning is tomorrow.
      const days = Math.round((midnight(then) - midnight(now)) / 86_400_000);
      return t('budget.forecast.day', { day: emptyDay(days, now) });
    },
    /** `5 h`; `seconds` of a span of time. */
    span: (seconds: number) => {
      if (seconds < 3600)
        return t('budget.minutes', { count: Math.max(1, Math.ceil(seconds / 60)) });
      if (seconds < 48 * 3600) return t('budget.hours', { count: Math.floor(seconds / 3600) });
      return t('budget.days', { count: Math.floor(seconds / 86_400) });
    },
  };
}
