import { Anchor, Button } from '@mantine/core';
import { CircleAlert, RotateCcw } from 'lucide-react';
import { Link } from 'react-router';
import { CallError } from '../../../core/contract/envelope.ts';
import type { ErrorCode } from '../../../core/kernel/errors.ts';
import { failureText } from '../../client/failures.ts';
import { type Translate, useTranslation } from '../../i18n/index.ts';
import type { MessageError } from './chat/message.ts';
import classes from './playground.module.css';

/**
 * What a failed request of a playground says, and what the reader can do about it
 * (docs/rules/console.md#playground-failures).
 */
type Remedy = 'topup' | 'choose' | 'none';

const choosing: ReadonlySet<string> = new Set([
  'group_not_allowed',
  'group_retired',
  'get_playground_channel_failed',
  'model_required',
]);

function remedyOf({ code }: MessageError): Remedy {
  if (code === 'insufficient_user_quota') return 'topup';
  return choosing.has(code) ? 'choose' : 'none';
}

function errorText({ status, code, type, text }: MessageError, t: Translate): string {
  if (code === 'stream_broken' || code === 'upstream_cut') return t('playground.error.broken');
  if (code === 'upstream_unauthorized') return t('playground.error.unauthorized');
  if (code === 'get_playground_channel_failed') return t('playground.error.noChannel');
  if (code === 'group_not_allowed' || code === 'group_retired') return t('playground.error.group');
  if (code === 'model_required') return t('playground.error.model');
  if (code === 'attachment_gone') return t('playground.error.attachment', { name: text });
  if (type === 'illegal_image') return t('playground.error.image');
  // The console's fixed sentences. An error inside a stream has no status, and was no loss of the
  // server.
  const isInStream = status === 0 && code !== 'gateway_unreachable';
  return failureText(new CallError(text, isInStream ? 200 : status, code as ErrorCode));
}

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
