/** What can be done with an entry. Disabled ones are enabled again or edited, not deleted. */
import { useMutation } from '@tanstack/react-query';
import { ExternalLink, Pencil, Power, PowerOff, Trash2 } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { ManagedModel } from '../../../core/contract/model-square.ts';
import { catalogStatuses } from '../../../core/vocabulary/model-square.ts';
import { modelSquarePath } from '../../browser/paths.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { RowAction } from '../../list/row-actions.tsx';
import { useRefreshModelSquare } from '../../queries/use-invalidate.ts';

const { enabled, disabled } = catalogStatuses;

export function useEntryActions(
  onEdit: (entry: ManagedModel) => void,
): readonly RowAction<ManagedModel>[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const refresh = useRefreshModelSquare();
  const setStatus = useMutation({
    mutationFn: ({ model, status }: { model: string; status: number }) =>
      client.modelSquare.update({ model, status }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (model: string) => client.modelSquare.remove({ model }),
    onSuccess: (_, model) => toastSuccess(t('management.delete.done', { model })),
    onSettled: refresh,
  });
  return [
    { key: 'edit', label: t('common.edit'), icon: Pencil, prominent: true, onAct: onEdit },
    {
      key: 'view',
      label: t('management.view'),
      icon: ExternalLink,
      onAct: ({ model }) => void navigate(`${modelSquarePath}?${new URLSearchParams({ model })}`),
    },
    {
      key: 'disable',
      label: t('management.disable'),
      icon: PowerOff,
      when: ({ status }) => status === enabled,
      onAct: ({ model }) => setStatus.mutate({ model, status: disabled }),
    },
    {
      key: 'enable',
      label: t('management.enable'),
      icon: Power,
      when: ({ status }) => status !== enabled,
      onAct: ({ model }) => setStatus.mutate({ model, status: enabled }),
    },
    {
      key: 'delete',
      label: t('common.delete'),
      icon: Trash2,
      danger: true,
      when: ({ status }) => status === enabled,
      confirm: ({ model }) => ({
        title: t('management.delete.title', { model }),
        text: t('management.delete.text'),
        confirm: t('management.delete.confirm'),
      }),
      onAct: ({ model }) => remove.mutate(model),
    },
  ];
}
