import { useTranslation } from 'react-i18next';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { parseObject } from '../../../core/kernel/json.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { StatusDot, type Tone } from '../../components/status-dot.tsx';
import { fullTime } from '../../hooks/use-time-text.ts';
import { wordKey } from '../../words.ts';

const tones: Readonly<Record<number, Tone>> = {
  [channelStatuses.enabled]: 'ok',
  [channelStatuses.disabled]: 'off',
  [channelStatuses.autoDisabled]: 'red',
};

type KeysOff = NonNullable<ChannelEntity['multi_key']>['disabled'];

function keysOffWords(channel: ChannelEntity, off: KeysOff) {
  const keys = off.map(({ position, reason }) => `#${position} ${reason}`).join('; ');
  return { off: off.length, size: channel.multi_key?.size ?? 0, keys };
}

/** Auto-disabled tells reason and time (seed, administration 4). */
export function ChannelStatus({ channel }: { channel: ChannelEntity }) {
  const { t } = useTranslation();
  const label = t(wordKey('status.channel', channel.status));
  const tone = tones[channel.status] ?? 'off';
  if (channel.status === channelStatuses.enabled && channel.tripped === true)
    return <StatusDot tone="yel" label={t('channel.status.tripped')} detail={t('channel.status.tripped.hint')} />;
  const keysOff = channel.multi_key?.disabled ?? [];
  if (channel.status === channelStatuses.enabled && keysOff.length > 0)
    return <StatusDot tone={tone} label={label} detail={t('channel.status.keysOff', keysOffWords(channel, keysOff))} />;
  if (channel.status !== channelStatuses.autoDisabled) return <StatusDot tone={tone} label={label} />;
  const info = parseObject(channel.other_info) ?? {};
  const reason =
    typeof info['status_reason'] === 'string' && info['status_reason'] !== ''
      ? info['status_reason']
      : t('channel.status.noReason');
  const time = typeof info['status_time'] === 'number' && info['status_time'] > 0 ? info['status_time'] : undefined;
  return (
    <StatusDot
      tone={tone}
      label={label}
      detail={time === undefined ? reason : t('channel.status.reason', { reason, time: fullTime(time) })}
    />
  );
}
