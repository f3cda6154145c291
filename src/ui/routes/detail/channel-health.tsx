/** Health of each channel: the last twenty attempts as ticks, and how fast it answers. */
import { Tooltip } from '@mantine/core';
import { Link } from 'react-router';
import type { ChannelHealth } from '../../../core/contract/overview.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { TypeLogo } from '../../components/provider-logo.tsx';
import { durationText, fullTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from './channel-health.module.css';
import layout from './detail.module.css';

const ticks = 20;
const tones = ['ok', 'yel', 'red'] as const;
/** Channels shown here; a link leads to the others. */
const shown = 8;

const isEnabled = (channel: ChannelHealth) => channel.status === channelStatuses.enabled;
/** Enabled, but its last attempt failed. */
const isFailing = (channel: ChannelHealth) => isEnabled(channel) && channel.recent.at(-1) === 2;

/** Trouble first, then those with requests, then the idle, then the disabled. */
function byTrouble(a: ChannelHealth, b: ChannelHealth): number {
  const rank = (channel: ChannelHealth) => {
    if (channel.status === channelStatuses.autoDisabled) return 0;
    if (!isEnabled(channel)) return 5;
    return channel.tripped ? 1 : isFailing(channel) ? 2 : channel.recent.length > 0 ? 3 : 4;
  };
  return rank(a) - rank(b) || b.id - a.id;
}

export function ChannelHealthList({
  channels,
}: {
  channels: readonly ChannelHealth[] | undefined;
}) {
  const { t } = useTranslation();
  const ordered = [...(channels ?? [])].sort(byTrouble);
  return (
    <>
      <div className={layout.head}>
        <h2>{t('detail.channels.title')}</h2>
        <span className={layout.hint}>{t('detail.channels.hint')}</span>
        {channels !== undefined && (
          <span className={layout.end}>
            {channels.length === 0 ? (
              <Link to="/channel?new=1">{t('detail.channels.create')}</Link>
            ) : (
              <Link to="/channel">{t('detail.channels.all', { count: channels.length })}</Link>
            )}
          </span>
        )}
      </div>
      {channels?.length === 0 && <p className={layout.empty}>{t('detail.channels.empty')}</p>}
      <ul className={classes.list}>
        {ordered.slice(0, shown).map((channel) => (
          <HealthRow key={channel.id} channel={channel} />
        ))}
      </ul>
    </>
  );
}

function HealthRow({ channel }: { channel: ChannelHealth }) {
  const { t } = useTranslation();
  const recent = channel.recent.slice(-ticks);
  const off = !isEnabled(channel);
  const counts = { ok: 0, slow: 0, failed: 0 };
  for (const outcome of recent)
    counts[outcome === 0 ? 'ok' : outcome === 1 ? 'slow' : 'failed'] += 1;
  const health = t('detail.channels.health', counts);
  const reason =
    channel.status_reason === ''
      ? undefined
      : `${channel.status_reason} · ${fullTime(channel.status_time)}`;
  const word =
    channel.status === channelStatuses.autoDisabled
      ? t('detail.channels.autoDisabled')
      : off
        ? t('detail.channels.disabled')
        : channel.tripped
          ? t('detail.channels.tripped')
          : isFailing(channel)
            ? t('detail.channels.failing')
            : channel.response_time > 0
              ? durationText(channel.response_time / 1000)
              : t('detail.channels.idle');
  const trouble =
    channel.status === channelStatuses.autoDisabled || channel.tripped || isFailing(channel);
  return (
    <li className={classes.channel} data-off={off || undefined}>
      <TypeLogo type={channel.type} name={channel.name} size={16} grey={off} />
      <span className={classes.name} title={channel.name}>
        {channel.name}
      </span>
      <Tooltip label={health}>
        <span className={classes.ticks} role="img" aria-label={health}>
          {Array.from({ length: ticks }, (_, index) => {
            const outcome = recent[index - (ticks - recent.length)];
            return (
              <i
                // biome-ignore lint/suspicious/noArrayIndexKey: twenty places that never move
                key={index}
                data-tone={outcome === undefined ? 'none' : (tones[outcome] ?? 'none')}
              />
            );
          })}
        </span>
      </Tooltip>
      <Tooltip label={reason} disabled={reason === undefined}>
        <span
          className={classes.time}
          data-trouble={trouble || undefined}
          data-idle={channel.recent.length === 0 || undefined}
        >
          {word}
        </span>
      </Tooltip>
    </li>
  );
}
