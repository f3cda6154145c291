/** How a channel stands, in a word and with its reason: for lists, cards and screens. */
import type { ChannelEntity } from '../../core/contract/entities.ts';
import { parseObject } from '../../core/kernel/json.ts';
import { channelStatuses } from '../../core/vocabulary/statuses.ts';
import { say, type Text } from '../base/text.ts';
import type { Tone } from '../kit/tones.ts';
import type { View } from './table.ts';
import { formatTime } from './times.ts';
import { toneFor, wordFor } from './words.ts';

/** `tripped` and `cooling` are passing states of enabled channels. */
function passingState(row: ChannelEntity): 'tripped' | 'cooling' | undefined {
  if (row.status !== channelStatuses.enabled) return undefined;
  if (row.tripped === true) return 'tripped';
  return (row.cooling?.length ?? 0) > 0 ? 'cooling' : undefined;
}

/** `on`, `tripped`, `on 3/4` where keys are switched off. */
export function channelStateWord(row: ChannelEntity, view: View): string {
  const passing = passingState(row);
  if (passing !== undefined) return texts[passing][view.language];
  const word = wordFor('status.channel', row.status, view.language);
  const { size = 0, disabled = [] } = row.multi_key ?? {};
  const some = row.status === channelStatuses.enabled && disabled.length > 0;
  return some ? `${word} ${size - disabled.length}/${size}` : word;
}

export function channelStateTone(row: ChannelEntity): Tone {
  const passing = passingState(row);
  if (passing !== undefined) return passing === 'tripped' ? 'error' : 'warn';
  return (row.multi_key?.disabled.length ?? 0) > 0 ? 'warn' : toneFor('status.channel', row.status);
}

/** Why the gateway switched it off, or why traffic passes it by for now; empty otherwise. */
export function channelStateReason(row: ChannelEntity, view: View): string {
  if (row.status === channelStatuses.autoDisabled) {
    const { status_reason: reason, status_time: time } = parseObject(row.other_info) ?? {};
    const at = typeof time === 'number' && time > 0 ? formatTime(time, view.now) : '';
    return [typeof reason === 'string' ? reason : '', at].filter(Boolean).join(', ');
  }
  const passing = passingState(row);
  if (passing === 'cooling') {
    const models = (row.cooling ?? []).map(({ model, seconds }) => say(view.language, texts.rests, { model, seconds }));
    return models.join(', ');
  }
  if (passing === undefined || row.circuit === undefined) return '';
  const { since, retry_in: seconds, cause } = row.circuit;
  const next = seconds === 0 ? texts.now[view.language] : say(view.language, texts.next, { seconds });
  return [cause, say(view.language, texts.since, { time: formatTime(since, view.now) }), next].filter(Boolean).join(', ');
}

const texts = {
  tripped: { en: 'tripped', zh: '熔断' },
  cooling: { en: 'cooling', zh: '限流' },
  rests: { en: '{model} rests {seconds} s', zh: '{model} 还有 {seconds} 秒' },
  since: { en: 'since {time}', zh: '自 {time}' },
  next: { en: 'tried again in {seconds} s', zh: '{seconds} 秒后试探' },
  now: { en: 'tried again with the next request', zh: '下一个请求会试探' },
} satisfies Readonly<Record<string, Text>>;
