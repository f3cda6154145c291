import { Anchor, Button } from '@mantine/core';
import { CircleAlert, RotateCcw } from 'lucide-react';
import { Link } from 'react-router';
import { useTranslation } from '../../i18n/index.ts';
import type { MessageError } from './chat/message.ts';
import { errorText, remedyOf } from './error-text.ts';
import classes from './playground.module.css';

interface ErrorBoxProps {
  readonly error: MessageError;
  /** Absent: it cannot be tried again now. */
  readonly onRetry?: (() => void) | undefined;
  readonly onChoose: () => void;
}

/** Why it failed, and what can be done. */
export function ErrorBox({ error, onRetry, onChoose }: ErrorBoxProps) {
  const { t } = useTranslation();
  const remedy = remedyOf(error);
  return (
    <div className={classes.error} role="alert">
      <CircleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
      <div>
        <p>{errorText(error, t)}</p>
        {error.code !== '' && (
          <p className={classes.errorCode}>{t('playground.error.code', { code: error.code })}</p>
        )}
        <div className={classes.errorActions}>
          {remedy === 'topup' && (
            <Anchor component={Link} to="/topup" size="sm">
              {t('playground.action.topup')}
            </Anchor>
          )}
          {remedy === 'choose' && (
            <Button size="compact-sm" variant="default" onClick={onChoose}>
              {t('playground.action.choose')}
            </Button>
          )}
          {onRetry !== undefined && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<RotateCcw size={12} />}
              onClick={onRetry}
            >
              {t('common.retry')}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
