/** Health of each channel: the last twenty attempts as ticks, and how fast it answers. */
import { Tooltip } from '@mantine/core';
import { Link } from 'react-router';
import type { ChannelHealth, Overview } from '../../../core/contract/overview.ts';
import { channelStates } from '../../../core/vocabulary/channel-states.ts';
import { responseText } from '../../components/measured-tone.ts';
import { TypeLogo } from '../../components/provider-logo.tsx';
import { fullTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { channelCount } from '../../queries/use-overview.ts';
import classes from './channel-health.module.css';
import { channelsIn } from './channels-in.ts';
import layout from './detail.module.css';

const ticks = 20;
const tones = ['ok', 'yel', 'red'] as const;
const isOff = ({ state }: ChannelHealth) => state === 'disabled' || state === 'auto_disabled';

/** How many channels are how, each a link to these, and the worst of them. */
export function ChannelHealthList({ overview }: { overview: Overview | undefined }) {
  const { t } = useTranslation();
  const count = channelCount(overview);
  return (
    <>
      <div className={layout.head}>
        <h2>{t('detail.channels.title')}</h2>
        <span className={layout.hint}>{t('detail.channels.hint')}</span>
        {count !== undefined && (
          <span className={layout.end}>
            {count === 0 ? (
              <Link to="/channel?new=1">{t('detail.channels.create')}</Link>
            ) : (
              <Link to="/channel">{t('detail.channels.all', { count })}</Link>
            )}
          </span>
        )}
      </div>
      <p className={classes.states}>
        {channelStates.map((state) => {
          const of = overview?.channel_states[state] ?? 0;
          return (
            of > 0 && (
              <Link key={state} to={channelsIn(state)}>
                {t(`detail.state.${state}`, { count: of })}
              </Link>
            )
          );
        })}
      </p>
      {count === 0 && <p className={layout.empty}>{t('detail.channels.empty')}</p>}
      <ul className={classes.list}>
        {/* Of the untested nothing is known but their number. */}
        {overview?.channels.map(
          (channel) =>
            channel.state !== 'untested' && <HealthRow key={channel.id} channel={channel} />,
        )}
      </ul>
    </>
  );
}

function HealthRow({ channel }: { channel: ChannelHealth }) {
  const { t } = useTranslation();
  const recent = channel.recent.slice(-ticks);
  const off = isOff(channel);
  const counts = { ok: 0, slow: 0, failed: 0 };
  for (const outcome of recent)
    counts[outcome === 0 ? 'ok' : outcome === 1 ? 'slow' : 'failed'] += 1;
  const health = t('detail.channels.health', counts);
  const reason =
    channel.status_reason === ''
      ? undefined
      : `${channel.status_reason} · ${fullTime(channel.status_time)}`;
  const word =
    channel.state === 'working'
      ? channel.response_time > 0
        ? responseText(channel.response_time)
        : t('detail.channels.idle')
      : t(`detail.channels.${channel.state}`);
  const trouble =
    channel.state === 'auto_disabled' || channel.state === 'cooling' || channel.state === 'failing';
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
