/** Choosing the chat client that a token is opened in. */
import { Text } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import type { ChatLink } from '../../browser/chat-links.ts';
import { openDialog } from '../../components/dialogs.ts';
import { translate, useTranslation } from '../../i18n/index.ts';
import classes from './chat-dialog.module.css';

export function chooseChat(tokenName: string, links: readonly ChatLink[]): void {
  openDialog({
    title: translate('token.chat'),
    role: 'dialog',
    size: 400,
    withCloseButton: true,
    content: (close) => <ChatLinks {...{ tokenName, links, close }} />,
  });
}

interface ChatLinksProps {
  readonly tokenName: string;
  readonly links: readonly ChatLink[];
  readonly close: () => void;
}

function ChatLinks({ tokenName, links, close }: ChatLinksProps) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm" c="var(--tp-ink2)" mb={12}>
        {t('token.chat.text', { name: tokenName })}
      </Text>
      <ul className={classes.list}>
        {links.map(({ name, href }) => (
          <li key={name}>
            <a href={href} target="_blank" rel="noopener noreferrer" onClick={close}>
              {name}
              <ExternalLink size={14} aria-hidden="true" />
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
