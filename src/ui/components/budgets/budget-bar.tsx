import type { BudgetStatus, BudgetWindow } from '../../../core/contract/budgets.ts';
import {
  fullestOf,
  hasRates,
  nearShare,
  neverEnds,
  rateShare,
  shareOf,
  wireRates,
} from '../../../core/vocabulary/budgets.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { fullTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useBudgetWords } from './budget-words.ts';
import classes from './budgets.module.css';

interface BudgetBarProps {
  readonly window: Pick<BudgetWindow, 'spent' | 'limit' | 'ends_at'>;
  /** The budget is switched off. */
  readonly off?: boolean;
}

/** What was spent of a window's limit, with a bar, and when it begins anew. */
export function BudgetBar({ window: { spent, limit, ends_at }, off = false }: BudgetBarProps) {
  const { t } = useTranslation();
  const money = useMoney();
  const words = useBudgetWords();
  const share = shareOf({ spent, limit });
  const tone = off ? 'off' : share >= 1 ? 'passed' : share >= nearShare ? 'near' : 'ok';
  const spentText = money.total(spent).text;
  const limitText = money.total(limit).text;
  return (
    <span className={classes.use}>
      <span className={classes.line}>
        <span className={classes.sum}>
          <b>{spentText}</b> {t('budget.of', { limit: limitText })}
        </span>
        {ends_at !== neverEnds && (
          <span className={classes.dim} title={fullTime(ends_at)}>
            {t('budget.resets', { span: words.span(ends_at - Date.now() / 1000) })}
          </span>
        )}
      </span>
      <span
        className={classes.bar}
        role="img"
        aria-label={t('budget.bar', { spent: spentText, limit: limitText })}
      >
        <i data-tone={tone} style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
    </span>
  );
}

/** When the window is used up at its pace, below its bar. */
export function Forecast({ window }: { readonly window: BudgetWindow | undefined }) {
  const words = useBudgetWords();
  const text = window && words.forecast(window);
  return text === undefined ? null : <span className={classes.rates}>{text}</span>;
}

/** What is in use of a budget's rates, with a bar where that is known. */
function RateBar({ budget }: { readonly budget: BudgetStatus }) {
  const words = useBudgetWords();
  const share = rateShare(budget);
  const tone = !budget.enabled ? 'off' : share >= 1 ? 'passed' : share >= nearShare ? 'near' : 'ok';
  return (
    <span className={classes.use}>
      <span className={classes.rates}>{words.rates(budget, budget.rates_used)}</span>
      {budget.rates_used !== null && (
        <span className={classes.bar} aria-hidden>
          <i data-tone={tone} style={{ width: `${Math.min(1, share) * 100}%` }} />
        </span>
      )}
    </span>
  );
}

/** The bar of the fullest window; a budget that was never used shows its amount. Then its rates. */
export function BudgetUse({ budget }: { readonly budget: BudgetStatus }) {
  const rated = hasRates(wireRates(budget)) && <RateBar budget={budget} />;
  if (budget.period === 'none') return rated;
  const fullest = fullestOf(budget.windows);
  const unused = { spent: 0, limit: budget.amount, ends_at: 0 };
  return (
    <>
      <BudgetBar window={fullest ?? unused} off={!budget.enabled} />
      {budget.enabled && <Forecast window={fullest} />}
      {rated}
    </>
  );
}
