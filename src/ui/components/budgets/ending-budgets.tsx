/** Budgets that end before their window does, and those that are spent, on the dashboard. */
import { Link } from 'react-router';
import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import { useTranslation } from '../../i18n/index.ts';
import { BudgetUse } from './budget-bar.tsx';
import { useBudgetWords } from './budget-words.ts';
import classes from './budgets.module.css';

export function EndingBudgets({ budgets }: { readonly budgets: readonly BudgetStatus[] }) {
  const { t } = useTranslation();
  const words = useBudgetWords();
  return (
    <section aria-label={t('budget.soon')}>
      <div className={classes.head}>
        <h2>{t('budget.soon')}</h2>
        <Link to="/budget">{t('budget.soon.all')}</Link>
      </div>
      <ul className={classes.windows}>
        {budgets.map((budget) => (
          <li key={budget.id}>
            <Link
              className={classes.who}
              title={words.owner(budget)}
              to={`/budget?q=%23${budget.id}`}
            >
              {budget.name || words.amount(budget)}
            </Link>
            <span className={classes.wide}>
              <BudgetUse budget={budget} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
