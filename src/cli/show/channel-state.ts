/** The state of a channel as a label, with tone and reason, for lists, cards and screens. */
import type { ChannelEntity } from '../../core/contract/entities.ts';
import { parseObject } from '../../core/kernel/json.ts';
import { channelStatuses } from '../../core/vocabulary/statuses.ts';
import { localize, type Text } from '../base/text.ts';
import type { Tone } from '../kit/tones.ts';
import { labelFor, toneFor } from './labels.ts';
import type { View } from './table.ts';
import { formatTime } from './times.ts';

/**
 * Temporary states of an enabled channel: its circuit is open, or its upstream limited the rate.
 */
function temporaryState(row: ChannelEntity): 'circuitOpen' | 'coolingDown' | undefined {
  if (row.status !== channelStatuses.enabled) return undefined;
  if (row.tripped === true) return 'circuitOpen';
  return (row.cooling?.length ?? 0) > 0 ? 'coolingDown' : undefined;
}

/** `Enabled`, `Circuit open`, or `Enabled 3/4` where some of its keys are disabled. */
export function channelStateLabel(row: ChannelEntity, view: View): string {
  const temporary = temporaryState(row);
  if (temporary !== undefined) return texts[temporary][view.language];
  const label = labelFor('status.channel', row.status, view.language);
  const { size = 0, disabled = [] } = row.multi_key ?? {};
  const some = row.status === channelStatuses.enabled && disabled.length > 0;
  return some ? `${label} ${size - disabled.length}/${size}` : label;
}

export function channelStateTone(row: ChannelEntity): Tone {
  const temporary = temporaryState(row);
  if (temporary !== undefined) return temporary === 'circuitOpen' ? 'error' : 'warn';
  return (row.multi_key?.disabled.length ?? 0) > 0 ? 'warn' : toneFor('status.channel', row.status);
}

/** Why the gateway disabled the channel or sends it no traffic at the moment; otherwise empty. */
export function channelStateReason(row: ChannelEntity, view: View): string {
  if (row.status === channelStatuses.autoDisabled) {
    const { status_reason: reason, status_time: time } = parseObject(row.other_info) ?? {};
    const at = typeof time === 'number' && time > 0 ? formatTime(time, view.now) : '';
    return [at, typeof reason === 'string' ? reason : ''].filter(Boolean).join(': ');
  }
  const temporary = temporaryState(row);
  if (temporary === 'coolingDown') {
    const models = (row.cooling ?? []).map(({ model, seconds }) =>
      localize(view.language, texts.remaining, { model, seconds }),
    );
    return models.join(', ');
  }
  if (temporary === undefined || row.circuit === undefined) return '';
  const { since, retry_in: seconds, cause } = row.circuit;
  const next =
    seconds === 0 ? texts.now[view.language] : localize(view.language, texts.next, { seconds });
  return [cause, localize(view.language, texts.since, { time: formatTime(since, view.now) }), next]
    .filter(Boolean)
    .join(', ');
}

const texts = {
  circuitOpen: { en: 'Circuit open', zh: '已熔断' },
  coolingDown: { en: 'Cooling down', zh: '限流中' },
  remaining: { en: '{model}: {seconds} s left', zh: '{model} 还有 {seconds} 秒' },
  since: { en: 'since {time}', zh: '自 {time}' },
  next: { en: 'next attempt in {seconds} s', zh: '{seconds} 秒后试探' },
  now: { en: 'next attempt with the next request', zh: '下一个请求会试探' },
} satisfies Readonly<Record<string, Text>>;
