/** Make a budget, or edit one. */
import { useSearchParams } from 'react-router';
import type { BudgetEntity } from '../../../core/contract/budgets.ts';
import { eachOf } from '../../../core/vocabulary/budgets.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { useBudgetWords } from '../../components/budgets/budget-words.ts';
import { EntityDrawer } from '../../form/entity-drawer.tsx';
import type { FieldErrors } from '../../form/fields.ts';
import { useEntityForm } from '../../form/use-entity-form.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useBudgetsAbout } from '../../queries/use-budgets.ts';
import { useRefreshBudgets } from '../../queries/use-invalidate.ts';
import {
  type BudgetValues,
  budgetInput,
  budgetValues,
  changedInput,
  checkBudget,
  newBudget,
} from './budget-form.ts';
import { Presets } from './presets.tsx';
import { useBudgetFields } from './use-budget-fields.tsx';

interface BudgetDrawerProps {
  /** null: a new one. */
  readonly budget: BudgetEntity | null;
  readonly onClose: () => void;
}

export function BudgetDrawer({ budget, onClose }: BudgetDrawerProps) {
  const { t } = useTranslation();
  const refresh = useRefreshBudgets();
  const self = useUser();
  const isAdmin = useIsAdmin();
  const words = useBudgetWords();
  const [parameters] = useSearchParams();
  const creating = budget === null;
  const ownId = String(self?.id ?? '');
  const owner = parameters.get('owner') ?? 'user';
  const before =
    budget === null
      ? newBudget({ owner, owner_id: parameters.get('of') ?? (owner === 'user' ? ownId : '') })
      : budgetValues(budget);
  const form = useEntityForm<BudgetValues, void>({
    creating,
    before,
    reread:
      budget === null
        ? undefined
        : async () => budgetValues(await client.budgets.get({ id: budget.id })),
    check: (values) =>
      Object.fromEntries(
        Object.entries(checkBudget(values)).map(([field, text]) => [field, t(text)]),
      ),
    fieldOf: ({ field }) =>
      field === undefined || !(field in before)
        ? undefined
        : (field as keyof FieldErrors<BudgetValues> & string),
    save: async (values, _changed, before) => {
      if (budget === null) await client.budgets.create(budgetInput(values));
      else await client.budgets.update({ ...changedInput(values, before), id: budget.id });
    },
    onSaved: async () => {
      await refresh();
      onClose();
      toastSuccess(t(creating ? 'budget.form.added' : 'budget.form.saved'));
    },
  });
  const set = (name: keyof BudgetValues & string, value: unknown) => {
    form.set(name, value);
    // What does not go together with another owner goes back to its first value.
    if (name !== 'owner') return;
    form.set('owner_id', value === 'user' && !isAdmin ? ownId : '');
    if (!eachOf[String(value)]?.includes(form.values.each)) form.set('each', '');
  };
  const kind = budget?.owner === 'user' || budget?.owner === 'token' ? budget.owner : undefined;
  const stored = useBudgetsAbout(
    kind ?? 'user',
    kind === undefined ? [] : [Number(budget?.owner_id)],
  ).find(({ id }) => id === budget?.id);
  const known =
    budget === null
      ? owner === 'user' && before.owner_id === ownId
        ? { value: ownId, label: `${self?.username ?? ''} #${ownId}` }
        : undefined
      : { value: budget.owner_id, label: stored?.owner_name || `#${budget.owner_id}` };
  const { fields, groups } = useBudgetFields(form.values, known);
  return (
    <EntityDrawer
      form={{ ...form, set }}
      fields={fields}
      groups={groups}
      title={t(creating ? 'budget.new' : 'budget.form.edit')}
      subtitle={
        budget === null
          ? t('budget.form.new.hint')
          : `#${budget.id} · ${budget.name || words.amount(budget)}`
      }
      submitLabel={t(creating ? 'budget.new' : 'common.save')}
      lead={creating && <Presets form={{ ...form, set }} />}
      onClose={onClose}
    />
  );
}
