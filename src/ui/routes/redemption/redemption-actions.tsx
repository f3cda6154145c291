/** What can be done with one code, with several, and with all that cannot be redeemed. */
import { ActionIcon, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Copy, Eye, Pencil, Power, PowerOff, Trash2 } from 'lucide-react';
import type { RedemptionEntity } from '../../../core/contract/entities.ts';
import { redemptionStates } from '../../../core/vocabulary/redemption-state.ts';
import { redemptionStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { useCopy } from '../../components/use-copy.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { BatchAction, RowAction } from '../../list/row-actions.tsx';
import { useRefreshRedemptions } from '../../queries/use-invalidate.ts';

const { unused, disabled } = redemptionStatuses;

interface RedemptionActionsProps {
  readonly onView: (code: RedemptionEntity) => void;
  readonly onEdit: (code: RedemptionEntity) => void;
  /** The selected codes were copied. */
  readonly onCopied: () => void;
}

export function useRedemptionActions({ onView, onEdit, onCopied }: RedemptionActionsProps): {
  readonly rowActions: readonly RowAction<RedemptionEntity>[];
  readonly batchActions: readonly BatchAction<RedemptionEntity>[];
} {
  const { t } = useTranslation();
  const { copy } = useCopy();
  const refresh = useRefreshRedemptions();
  const setStatus = useMutation({
    mutationFn: ({ id, status }: { id: number; status: number }) =>
      client.redemption.update({ id, status, status_only: true }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: ({ id }: RedemptionEntity) => client.redemption.remove({ id }),
    onSuccess: (_, { name }) => toastSuccess(t('redemption.delete.done', { name })),
    onSettled: refresh,
  });
  const copySelected = async (codes: readonly RedemptionEntity[]) => {
    if (!(await copy(codes.map(({ name, key }) => `${name}\t${key}`).join('\n')))) return;
    toastSuccess(t('redemption.bulk.copied', { count: codes.length }));
    onCopied();
  };
  return {
    rowActions: [
      { key: 'view', label: t('redemption.view'), icon: Eye, prominent: true, onAct: onView },
      {
        key: 'edit',
        label: t('common.edit'),
        icon: Pencil,
        prominent: true,
        when: ({ status }) => status === unused,
        onAct: onEdit,
      },
      { key: 'copy', label: t('redemption.copy'), icon: Copy, onAct: ({ key }) => void copy(key) },
      {
        key: 'disable',
        label: t('common.disable'),
        icon: PowerOff,
        when: ({ status }) => status === unused,
        onAct: ({ id }) => setStatus.mutate({ id, status: disabled }),
      },
      {
        key: 'enable',
        label: t('common.enable'),
        icon: Power,
        when: ({ status }) => status === disabled,
        onAct: ({ id }) => setStatus.mutate({ id, status: unused }),
      },
      {
        key: 'delete',
        label: t('common.delete'),
        icon: Trash2,
        danger: true,
        confirm: ({ id, name, status }) => ({
          title: t('redemption.delete.title', { name }),
          text: t(
            status === redemptionStatuses.used
              ? 'redemption.delete.text.used'
              : 'redemption.delete.text',
            { id },
          ),
          confirm: t('redemption.delete.confirm'),
        }),
        onAct: (code) => remove.mutate(code),
      },
    ],
    batchActions: [
      {
        key: 'copy',
        label: t('redemption.bulk.copy'),
        icon: Copy,
        onAct: (codes) => void copySelected(codes),
      },
    ],
  };
}

/** Deletes used, disabled and expired codes. */
export function RemoveInvalidButton() {
  const { t } = useTranslation();
  const phone = usePhone();
  const refresh = useRefreshRedemptions();
  const remove = useMutation({
    mutationFn: () => client.redemption.removeInvalid(),
    onSuccess: (count) => toastSuccess(t('redemption.removeInvalid.done', { count })),
    onSettled: refresh,
  });
  const ask = useMutation({
    mutationFn: () =>
      Promise.all(
        (['used', 'disabled', 'expired'] as const).map(
          async (state) =>
            (await client.redemption.list({ state: redemptionStates[state], page_size: 1 })).total,
        ),
      ),
    onSuccess: ([used = 0, disabled = 0, expired = 0]) => {
      const count = used + disabled + expired;
      if (count === 0) return toastSuccess(t('redemption.removeInvalid.none'));
      confirmDanger({
        title: t('redemption.removeInvalid.title'),
        text: t('redemption.removeInvalid.text', { used, disabled, expired }),
        confirm: t('redemption.removeInvalid.confirm', { count }),
        onConfirm: () => remove.mutate(),
      });
    },
  });
  const label = t('redemption.removeInvalid');
  const icon = <Trash2 size={16} strokeWidth={1.75} />;
  const action = {
    variant: 'default',
    loading: ask.isPending || remove.isPending,
    onClick: () => ask.mutate(),
  } as const;
  return phone ? (
    <ActionIcon {...action} size={36} aria-label={label}>
      {icon}
    </ActionIcon>
  ) : (
    <Button {...action} leftSection={icon}>
      {label}
    </Button>
  );
}
