/**
 * What can be done with a user, offered only where the rules allow it. Whatever changes the user is
 * confirmed.
 */
import { useMutation } from '@tanstack/react-query';
import {
  ArrowDown,
  ArrowUp,
  Ban,
  FileText,
  Pencil,
  Power,
  ScrollText,
  UserX,
  Wallet,
} from 'lucide-react';
import { useNavigate } from 'react-router';
import type { UserEntity } from '../../../core/contract/entities.ts';
import type { ManageAction } from '../../../core/entities/user-policy.ts';
import { userStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useUser } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { RowAction } from '../../list/row-actions.tsx';
import { useRefreshUsers } from '../../queries/use-invalidate.ts';
import { type Act, isAllowed } from './allowed.ts';

interface UserActionsProps {
  readonly onEdit: (user: UserEntity) => void;
  readonly onAdjust: (user: UserEntity) => void;
}

const icons = {
  promote: ArrowUp,
  demote: ArrowDown,
  disable: Ban,
  enable: Power,
  delete: UserX,
} as const;

export function useUserActions({
  onEdit,
  onAdjust,
}: UserActionsProps): readonly RowAction<UserEntity>[] {
  const { t } = useTranslation();
  const actor = useUser();
  const navigate = useNavigate();
  const refresh = useRefreshUsers();
  const manage = useMutation({
    mutationFn: ({ user, action }: { user: UserEntity; action: ManageAction }) =>
      client.user.manage({ id: user.id, action }),
    onSuccess: (_, { user, action }) =>
      toastSuccess(t(`user.${action}.done`, { name: user.username })),
    onSettled: refresh,
  });
  const allowed = (act: Act) => (user: UserEntity) => isAllowed(act, actor, user);
  const managing = (
    action: ManageAction,
    fits: (user: UserEntity) => boolean = () => true,
  ): RowAction<UserEntity> => ({
    key: action,
    label: t(`user.${action}`),
    icon: icons[action],
    danger: action === 'delete',
    when: (user) => allowed(`manage-${action}`)(user) && fits(user),
    confirm: ({ id, username: name }) => ({
      title: t(`user.${action}.title`, { name }),
      text: t(`user.${action}.text`, { id }),
      confirm: t(`user.${action}.confirm`),
      mild: action === 'promote' || action === 'enable',
    }),
    onAct: (user) => manage.mutate({ user, action }),
  });
  return [
    {
      key: 'edit',
      label: t('common.edit'),
      icon: Pencil,
      prominent: true,
      when: allowed('update'),
      onAct: onEdit,
    },
    {
      key: 'quota',
      label: t('user.adjust'),
      icon: Wallet,
      prominent: true,
      when: allowed('update'),
      onAct: onAdjust,
    },
    {
      key: 'logs',
      label: t('user.logs'),
      icon: ScrollText,
      onAct: ({ username }) =>
        void navigate(`/log?${new URLSearchParams({ user: username, time: 'all' })}`),
    },
    {
      key: 'statement',
      label: t('user.statement'),
      icon: FileText,
      when: (user) => user.id === actor?.id || allowed('read')(user),
      onAct: ({ id }) => void navigate(`/statement?user=${id}`),
    },
    managing('promote'),
    managing('demote'),
    managing('disable', ({ status }) => status === userStatuses.active),
    managing('enable', ({ status }) => status === userStatuses.banned),
    managing('delete'),
  ];
}
