/** What can be done with one token and with several. */
import { useMutation } from '@tanstack/react-query';
import { Copy, MessageSquare, Pencil, Power, PowerOff, Trash2 } from 'lucide-react';
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { tokenStatuses } from '../../../core/vocabulary/statuses.ts';
import { siteAddress } from '../../browser/site-address.ts';
import { client } from '../../client/api.ts';
import { toastFailure, toastProblem, toastSuccess } from '../../client/failures.ts';
import { useCopy } from '../../components/use-copy.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { groupedNames } from '../../list/grouped-names.ts';
import type { BatchAction, RowAction } from '../../list/row-actions.tsx';
import { useRefreshTokens } from '../../queries/use-invalidate.ts';
import { useStatus } from '../../queries/use-status.ts';

type Tokens = readonly TokenEntity[];
const idsOf = (tokens: Tokens) => tokens.map((token) => token.id);
const { enabled, disabled } = tokenStatuses;

interface TokenActionsProps {
  readonly onEdit: (token: TokenEntity) => void;
  /** A batch has gone through. */
  readonly onDone: () => void;
}

export function useTokenActions({ onEdit, onDone }: TokenActionsProps): {
  readonly rowActions: readonly RowAction<TokenEntity>[];
  readonly batchActions: readonly BatchAction<TokenEntity>[];
} {
  const { t } = useTranslation();
  const { copy } = useCopy();
  const status = useStatus();
  const refresh = useRefreshTokens();
  const setStatus = useMutation({
    mutationFn: ({ tokens, status }: { tokens: Tokens; status: number }) =>
      client.token.setStatusMany({ ids: idsOf(tokens), status }),
    onSuccess: (count, { tokens, status }) => {
      if (tokens.length > 1)
        toastSuccess(
          t(status === enabled ? 'token.bulk.enabled' : 'token.bulk.disabled', { count }),
        );
    },
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (tokens: Tokens) => client.token.removeMany({ ids: idsOf(tokens) }),
    onSuccess: (count) => toastSuccess(t('token.delete.done', { count })),
    onSettled: refresh,
  });
  const question = (tokens: Tokens) => ({
    title: t('token.delete.title', { count: tokens.length }),
    text: t('token.delete.text', {
      names: groupedNames(
        tokens.map((token) => token.name),
        t('common.joint'),
      ),
    }),
    confirm: t('token.delete.confirm', { count: tokens.length }),
  });
  const hasChats = Array.isArray(status?.chats) && status.chats.length > 0;
  const openChat = async (token: TokenEntity) => {
    const [{ chatLinks }, { chooseChat }] = await Promise.all([
      import('../../browser/chat-links.ts'),
      import('./chat-dialog.tsx'),
    ]);
    const values = {
      key: `sk-${token.key}`,
      address: siteAddress(status?.server_address ?? '', window.location.origin),
    };
    const links = chatLinks(status?.chats, values);
    if (links.length === 0) toastProblem(t('token.chat.broken'));
    else chooseChat(token.name, links);
  };
  const isEnabled = (token: TokenEntity) => token.status === enabled;
  return {
    rowActions: [
      { key: 'edit', label: t('common.edit'), icon: Pencil, prominent: true, onAct: onEdit },
      {
        key: 'chat',
        label: t('token.chat'),
        icon: MessageSquare,
        when: (token) => isEnabled(token) && hasChats,
        onAct: (token) => void openChat(token).catch(toastFailure),
      },
      {
        key: 'disable',
        label: t('common.disable'),
        icon: PowerOff,
        when: isEnabled,
        onAct: (token) => setStatus.mutate({ tokens: [token], status: disabled }),
      },
      {
        key: 'enable',
        label: t('common.enable'),
        icon: Power,
        when: (token) => !isEnabled(token),
        onAct: (token) => setStatus.mutate({ tokens: [token], status: enabled }),
      },
      {
        key: 'delete',
        label: t('common.delete'),
        icon: Trash2,
        danger: true,
        confirm: (token) => question([token]),
        onAct: (token) => remove.mutate([token]),
      },
    ],
    batchActions: [
      {
        key: 'enable',
        label: t('common.enable'),
        icon: Power,
        busy: setStatus.isPending,
        onAct: (tokens) => setStatus.mutate({ tokens, status: enabled }, { onSuccess: onDone }),
      },
      {
        key: 'disable',
        label: t('common.disable'),
        icon: PowerOff,
        busy: setStatus.isPending,
        onAct: (tokens) => setStatus.mutate({ tokens, status: disabled }, { onSuccess: onDone }),
      },
      {
        key: 'copy',
        label: t('token.bulk.copy'),
        icon: Copy,
        onAct: (tokens) =>
          void copy(tokens.map((token) => `${token.name}\tsk-${token.key}`).join('\n')),
      },
      {
        key: 'delete',
        label: t('common.delete'),
        icon: Trash2,
        danger: true,
        busy: remove.isPending,
        confirm: question,
        onAct: (tokens) => remove.mutate(tokens, { onSuccess: onDone }),
      },
    ],
  };
}
