/**
 * `/chat/{id}`: a chat client of the option `Chats` in a frame, with the reader's key
 * (docs/rules/console.md#chat-redirects).
 */
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { type ChatLink, chatLinks } from '../../browser/chat-links.ts';
import { frameSandbox } from '../../browser/content-kind.ts';
import { siteAddress } from '../../browser/site-address.ts';
import { toastProblem } from '../../client/failures.ts';
import { EmptyState, FailedState } from '../../components/states.tsx';
import { translate, useTranslation } from '../../i18n/index.ts';
import { useStatus } from '../../queries/use-status.ts';
import classes from './chat-redirect.module.css';
import { useEnabledKey } from './use-enabled-key.ts';

export function ChatRedirect() {
  const { t } = useTranslation();
  const { id = '0' } = useParams();
  const status = useStatus();
  const { key, error, retry } = useEnabledKey();
  const chats: unknown = status?.chats;
  const isBroken = status !== undefined && !Array.isArray(chats);
  useEffect(() => {
    if (isBroken) toastProblem(translate('redirect.parse'));
  }, [isBroken]);
  if (error !== null)
    return <FailedState title={t('redirect.title')} error={error} onRetry={retry} />;
  if (status === undefined || key === undefined) return <Redirecting />;
  const preset: unknown = Array.isArray(chats) && /^\d+$/.test(id) ? chats[Number(id)] : undefined;
  const address = siteAddress(status.server_address, window.location.origin);
  const link = chatLinks(preset === undefined ? [] : [preset], { key, address })[0];
  if (link === undefined) return <Missing />;
  return URL.canParse(link.href) && /^https?:$/.test(new URL(link.href).protocol) ? (
    <Framed {...link} />
  ) : (
    <OfComputer {...link} />
  );
}

export function Redirecting() {
  const { t } = useTranslation();
  return (
    <p className={classes.waiting} role="status">
      {t('redirect.waiting')}
    </p>
  );
}

export function Missing() {
  const { t } = useTranslation();
  const back = (
    <Button component={Link} to="/token" variant="default">
      {t('redirect.tokens')}
    </Button>
  );
  return (
    <EmptyState
      heading="h1"
      title={t('redirect.missing')}
      text={t('redirect.missing.text')}
      action={back}
    />
  );
}

/** A page of another site gets neither the address of this one nor a way out of its frame. */
function Framed({ name, href }: ChatLink) {
  return (
    <iframe
      className={classes.frame}
      title={name}
      src={href}
      sandbox={frameSandbox(href, window.location.origin)}
      allow="clipboard-write"
      referrerPolicy="no-referrer"
    />
  );
}

/** Apps on the reader's computer cannot be framed; browsers open them only after a click. */
function OfComputer({ name, href }: ChatLink) {
  const { t } = useTranslation();
  const open = (
    <Button component="a" href={href} rel="noreferrer">
      {t('redirect.app', { name })}
    </Button>
  );
  return (
    <EmptyState heading="h1" title={name} text={t('redirect.app.text', { name })} action={open} />
  );
}
