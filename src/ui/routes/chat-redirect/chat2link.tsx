/**
 * `/chat2link`: leads to the chat client of the option `ChatLink2`, with key and address in its
 * settings (docs/rules/console.md#chat-redirects).
 */
import { useEffect } from 'react';
import { siteAddress } from '../../browser/site-address.ts';
import { FailedState } from '../../components/states.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useStatus } from '../../queries/use-status.ts';
import { chatClientLink } from './chat-client-link.ts';
import { Missing, Redirecting } from './index.tsx';
import { useEnabledKey } from './use-enabled-key.ts';

export function ChatLinkRedirect() {
  const { t } = useTranslation();
  const status = useStatus();
  const { key, error, retry } = useEnabledKey();
  const address = siteAddress(status?.server_address ?? '', window.location.origin);
  const link =
    status === undefined || key === undefined
      ? undefined
      : chatClientLink(String(status.chat_link2), { key, address });
  useEffect(() => {
    if (typeof link === 'string') window.location.replace(link);
  }, [link]);
  if (error !== null)
    return <FailedState title={t('redirect.title')} error={error} onRetry={retry} />;
  return link === null ? <Missing /> : <Redirecting />;
}
