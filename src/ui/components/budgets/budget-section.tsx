/** The budgets of one token or user: bars below its form and in its row of a list. */
import { Link } from 'react-router';
import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import { fullestOf } from '../../../core/vocabulary/budgets.ts';
import { useTranslation } from '../../i18n/index.ts';
import { budgetsFor, useBudgetsAbout } from '../../queries/use-budgets.ts';
import { BudgetBar, BudgetUse } from './budget-bar.tsx';
import { useBudgetWords } from './budget-words.ts';
import classes from './budgets.module.css';

interface OwnerProps {
  readonly kind: 'token' | 'user';
  readonly id: number;
}

/** A bar for each, with links to it and to a new one. */
export function BudgetSection({ kind, id }: OwnerProps) {
  const { t } = useTranslation();
  const words = useBudgetWords();
  const budgets = budgetsFor(useBudgetsAbout(kind, [id]), kind, id);
  return (
    <section className={classes.section} aria-label={t('budget.section')}>
      <div className={classes.head}>
        <h3>{t('budget.section')}</h3>
        <Link to={`/budget?owner=${kind}&of=${id}&new=1`}>{t('budget.section.new')}</Link>
      </div>
      {budgets.length === 0 ? (
        <p className={classes.none}>{t('budget.section.none')}</p>
      ) : (
        <ul className={classes.windows}>
          {budgets.map((budget) => (
            <li key={budget.id}>
              <Link
                className={classes.who}
                title={budget.name || words.amount(budget)}
                to={`/budget?q=%23${budget.id}`}
              >
                {budget.name || words.amount(budget)}
              </Link>
              <BudgetUse budget={budget} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The fullest window of those that are in force, in a cell of a list. */
export function BudgetCell({ budgets }: { readonly budgets: readonly BudgetStatus[] }) {
  const windows = budgets.filter(({ enabled }) => enabled).flatMap((budget) => budget.windows);
  const fullest = fullestOf(windows);
  return fullest === undefined ? null : <BudgetBar window={fullest} />;
}
