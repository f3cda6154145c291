import { Button } from '@mantine/core';
import { type ComponentType, useEffect, useState } from 'react';
import { loadStylesAgain } from '../browser/late-styles.ts';
import { client } from '../client/api.ts';
import { useConnection } from '../client/connection.ts';
import { EmptyState } from '../components/states.tsx';
import { useTranslation } from '../i18n/index.ts';

/**
 * In place of a screen whose file could not be loaded: says why, and shows the screen as soon as it
 * can. A server that answers has another build by now, whose files the page knows after a reload.
 */
export function LateScreen({ load }: { load: () => Promise<ComponentType> }) {
  const { t } = useTranslation();
  const isLost = useConnection() === 'lost';
  const [Screen, setScreen] = useState<ComponentType>();
  useEffect(() => {
    // When the connection is back: again.
    if (isLost) return;
    Promise.all([load(), loadStylesAgain()]).then(
      ([loaded]) => setScreen(() => loaded),
      // Learns whether the server can be reached.
      () => client.system.status().catch(() => undefined),
    );
  }, [load, isLost]);
  if (Screen !== undefined) return <Screen />;
  return (
    <EmptyState
      heading="h1"
      title={t(isLost ? 'offline.title' : 'late.title')}
      text={t(isLost ? 'offline.text' : 'late.text')}
      action={
        !isLost && <Button onClick={() => window.location.reload()}>{t('crash.reload')}</Button>
      }
    />
  );
}
