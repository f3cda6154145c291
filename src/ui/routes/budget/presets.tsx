/** Budgets that many want, each in one click. */

import { budgetPresets } from '../../../core/entities/budget-presets.ts';
import classes from '../../components/budgets/budgets.module.css';
import { QuickPicks } from '../../form/quick-picks.tsx';
import type { EntityForm } from '../../form/use-entity-form.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { BudgetValues } from './budget-form.ts';

const { agent } = budgetPresets;

/** In units of the site's currency. */
const units = { day: 10, week: 100 } as const;

export function Presets({ form }: { readonly form: EntityForm<BudgetValues> }) {
  const { t } = useTranslation();
  const { total, quotaPerUnit } = useMoney();
  const amount = (of: keyof typeof units) => Math.round(units[of] * quotaPerUnit);
  const text = (of: keyof typeof units) => total(amount(of)).text;
  const put = (values: Partial<BudgetValues>) => {
    for (const [name, value] of Object.entries(values)) form.set(name as keyof BudgetValues, value);
  };
  const label = t('budget.presets');
  // A budget of one token has no tokens to tell apart.
  const each = form.values.owner === 'token' ? '' : 'token';
  return (
    <div className={classes.presets}>
      <span>{label}</span>
      <QuickPicks
        label={label}
        picks={[
          {
            label: t('budget.preset.day', { amount: text('day') }),
            onPick: () => put({ amount: amount('day'), period: 'day', each }),
          },
          {
            label: t('budget.preset.week', { amount: text('week') }),
            onPick: () => put({ amount: amount('week'), period: 'week', each: '' }),
          },
          {
            label: t('budget.preset.agent'),
            onPick: () =>
              put({ ...agent, amount: Math.round((agent.amount / 500_000) * quotaPerUnit) }),
          },
          {
            label: t('budget.preset.weekend'),
            onPick: () => put({ closed_days: ['6', '7'] }),
          },
          {
            label: t('budget.preset.shadow'),
            onPick: () => put({ at_end: 'warn' }),
          },
        ]}
      />
    </div>
  );
}
