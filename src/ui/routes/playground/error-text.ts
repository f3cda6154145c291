/**
 * What a failed request of a playground says, and what the reader can do about it
 * (docs/rules/console.md#playground-failures).
 */
import { CallError } from '../../../core/contract/envelope.ts';
import type { ErrorCode } from '../../../core/kernel/errors.ts';
import { failureText } from '../../client/failures.ts';
import type { Translate } from '../../i18n/index.ts';
import type { MessageError } from './chat/message.ts';

export type Remedy = 'topup' | 'choose' | 'none';

const choosing: ReadonlySet<string> = new Set([
  'group_not_allowed',
  'group_retired',
  'get_playground_channel_failed',
  'model_required',
]);

export function remedyOf({ code }: MessageError): Remedy {
  if (code === 'insufficient_user_quota') return 'topup';
  return choosing.has(code) ? 'choose' : 'none';
}

export function errorText({ status, code, type, text }: MessageError, t: Translate): string {
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
