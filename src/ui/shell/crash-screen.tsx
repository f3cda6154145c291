import { Button } from '@mantine/core';
import { useRouteError } from 'react-router';
import { useTranslation } from '../i18n/index.ts';
import { MessageScreen } from './message-screen.tsx';

/**
 * The router's error boundary: a screen that threw, or whose file could not be loaded after an
 * update.
 */
export function CrashScreen() {
  const { t } = useTranslation();
  const error = useRouteError();
  return (
    <MessageScreen
      title={t('crash.title')}
      text={t('crash.text', { cause: error instanceof Error ? error.message : String(error) })}
      action={<Button onClick={() => window.location.reload()}>{t('crash.reload')}</Button>}
    />
  );
}
