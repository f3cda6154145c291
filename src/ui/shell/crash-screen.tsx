import { Button } from '@mantine/core';
import { useTranslation } from '../i18n/index.ts';
import { MessageScreen } from './message-screen.tsx';

/**
 * The router's error boundary: a screen that threw, or whose file could not be loaded after an
 * update.
 */
export function CrashScreen() {
  const { t } = useTranslation();
  return (
    <MessageScreen
      title={t('crash.title')}
      text={t('crash.text')}
      action={<Button onClick={() => window.location.reload()}>{t('crash.reload')}</Button>}
    />
  );
}
