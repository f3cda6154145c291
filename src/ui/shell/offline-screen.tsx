import { Button } from '@mantine/core';
import { CallError } from '../../core/contract/envelope.ts';
import { failureText } from '../client/failures.ts';
import { useTranslation } from '../i18n/index.ts';
import { MessageScreen } from './message-screen.tsx';

/** The status could not be read, so no screen can be shown (docs/rules/console.md#failures). */
export function OfflineScreen({ error, onRetry }: { error: unknown; onRetry: () => void }) {
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
