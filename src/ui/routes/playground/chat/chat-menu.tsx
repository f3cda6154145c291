/** Earlier conversations, a new one, and deletion of this one. */
import { Button, Menu } from '@mantine/core';
import { History, Plus, Trash2 } from 'lucide-react';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { usePhone } from '../../../hooks/use-phone.ts';
import { useTranslation } from '../../../i18n/index.ts';
import type { ChatState } from './chat-book.ts';
import type { ChatStore } from './chat-store.ts';
import { titleOf } from './message.ts';

export function ChatMenu({
  store,
  chats,
  chat,
}: Pick<ChatState, 'chats' | 'chat'> & { store: ChatStore }) {
  const { t } = useTranslation();
  const phone = usePhone();
  const size = phone ? 44 : 32;
  const others = chats.filter(({ id }) => id !== chat.id);
  const nameOf = (of: typeof chat) => titleOf(of) || t('playground.history.untitled');
  // Two models that were asked the same.
  const modelOf = (of: typeof chat) =>
    chats.some((other) => other.id !== of.id && titleOf(other) === titleOf(of))
      ? of.messages.findLast(({ model }) => model !== undefined)?.model
      : undefined;
  const remove = () =>
    confirmDanger({
      title: t('playground.clear.title'),
      text: t('playground.clear.text', { name: nameOf(chat) }),
      confirm: t('playground.clear'),
      onConfirm: () => store.clear(),
    });
  return (
    <>
      {others.length > 0 && (
        <Menu position="bottom-end" width={280}>
          <Menu.Target>
            <IconButton label={t('playground.history')} size={size}>
              <History size={16} strokeWidth={1.75} />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown mah="70dvh" style={{ overflowY: 'auto' }}>
            <Menu.Label>{t('playground.history')}</Menu.Label>
            {others.map((other) => (
              <Menu.Item key={other.id} onClick={() => store.open(other.id)}>
                {[nameOf(other), modelOf(other)].filter((part) => part !== undefined).join(' · ')}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {chat.messages.length > 0 && (
        <>
          <IconButton label={t('playground.clear')} size={size} onClick={remove}>
            <Trash2 size={16} strokeWidth={1.75} />
          </IconButton>
          {phone ? (
            <IconButton label={t('playground.new')} size={size} onClick={() => store.start()}>
              <Plus size={18} strokeWidth={1.75} />
            </IconButton>
          ) : (
            <Button
              variant="default"
              leftSection={<Plus size={14} />}
              onClick={() => store.start()}
            >
              {t('playground.new')}
            </Button>
          )}
        </>
      )}
    </>
  );
}
