/** What can be done with a budget. */
import { useMutation } from '@tanstack/react-query';
import { Coins, Pencil, Power, PowerOff, Trash2 } from 'lucide-react';
import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { RowAction } from '../../list/row-actions.tsx';
import { useRefreshBudgets } from '../../queries/use-invalidate.ts';

interface BudgetActionsProps {
  readonly onEdit: (budget: BudgetStatus) => void;
  readonly onWindows: (budget: BudgetStatus) => void;
}

/** Whether the reader may change a budget (docs/rules/budgets.md#whose). */
export function useMayChange(): (budget: Pick<BudgetStatus, 'user_id'>) => boolean {
  const isAdmin = useIsAdmin();
  const self = useUser();
  return ({ user_id }) => isAdmin || user_id === self?.id;
}

export function useBudgetActions({
  onEdit,
  onWindows,
}: BudgetActionsProps): readonly RowAction<BudgetStatus>[] {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const refresh = useRefreshBudgets();
  const enable = useMutation({
    mutationFn: ({ id, enabled }: { id: number; enabled: boolean }) =>
      client.budgets.update({ id, enabled }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: ({ id }: BudgetStatus) => client.budgets.remove({ id }),
    onSuccess: () => toastSuccess(t('budget.delete.done')),
    onSettled: refresh,
  });
  return [
    {
      key: 'edit',
      label: t('common.edit'),
      icon: Pencil,
      prominent: true,
      when: mayChange,
      onAct: onEdit,
    },
    {
      key: 'windows',
      label: t('budget.windows'),
      icon: Coins,
      when: ({ windows }) => windows.length > 0,
      onAct: onWindows,
    },
    {
      key: 'disable',
      label: t('common.disable'),
      icon: PowerOff,
      when: (budget) => budget.enabled && mayChange(budget),
      onAct: ({ id }) => enable.mutate({ id, enabled: false }),
    },
    {
      key: 'enable',
      label: t('common.enable'),
      icon: Power,
      when: (budget) => !budget.enabled && mayChange(budget),
      onAct: ({ id }) => enable.mutate({ id, enabled: true }),
    },
    {
      key: 'delete',
      label: t('common.delete'),
      icon: Trash2,
      danger: true,
      when: mayChange,
      confirm: ({ id, name }) => ({
        title: t('budget.delete.title', { name: name || `#${id}` }),
        text: t('budget.delete.text'),
        confirm: t('budget.delete.confirm'),
      }),
      onAct: (budget) => remove.mutate(budget),
    },
  ];
}
