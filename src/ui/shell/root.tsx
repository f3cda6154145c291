/**
 * Above every screen: the site's status is known, and a site that is not set up shows its setup
 * page.
 */

import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { CallError } from '../../core/contract/envelope.ts';
import { storageKeys, writeStored } from '../browser/local-storage.ts';
import { logoAddress } from '../browser/shown-file.ts';
import { failureText } from '../client/failures.ts';
import { useTranslation } from '../i18n/index.ts';
import { useStatusQuery } from '../queries/use-status.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { MessageScreen } from './message-screen.tsx';

/** The status could not be read, so no screen can be shown (docs/rules/console.md#failures). */
function OfflineScreen({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const unreachable = error instanceof CallError && error.status === 0;
  return (
    <MessageScreen
      title={unreachable ? t('offline.title') : t('failure.status')}
      text={unreachable ? t('offline.text') : failureText(error)}
      action={<Button onClick={onRetry}>{t('common.retry')}</Button>}
    />
  );
}

export function Root() {
  const status = useStatusQuery();
  const { pathname, search } = useLocation();
  const name = status.data?.system_name;
  const logo = logoAddress(status.data?.logo ?? '');
  useEffect(() => {
    if (name !== undefined) document.title = name;
  }, [name]);
  useEffect(() => {
    if (logo) document.querySelector('link[rel="icon"]')?.setAttribute('href', logo);
  }, [logo]);
  // The code of an invite link waits for the registration, whatever page the link opened
  // (docs/rules/console.md#browser-storage).
  const invite = new URLSearchParams(search).get('aff')?.trim();
  useEffect(() => {
    if (invite) writeStored(storageKeys.invite, invite);
  }, [invite]);
  if (status.data === undefined) {
    return status.isError ? (
      <OfflineScreen error={status.error} onRetry={() => void status.refetch()} />
    ) : null;
  }
  // A stored copy may be from before: only a fresh answer moves the reader.
  if (!status.isPlaceholderData && !status.data.setup && pathname !== '/setup')
    return <Navigate to="/setup" replace />;
  return (
    <>
      <ConnectionBanner />
      <Outlet />
    </>
  );
}
