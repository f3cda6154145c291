/** Health of each channel: the last twenty attempts as ticks, and how fast it answers. */
import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Lane } from '../../../core/contract/turnpike.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { TypeLogo } from '../../components/provider-logo.tsx';
import { durationText, fullTime } from '../../hooks/use-time-text.ts';
import layout from './detail.module.css';
import classes from './lanes.module.css';

const ticks = 20;
const tones = ['ok', 'yel', 'red'] as const;
/** Lanes shown here; the rest is one click away. */
const shown = 8;

const isOpen = (lane: Lane) => lane.status === channelStatuses.enabled;
/** Open, but its last attempt failed. */
const isFailing = (lane: Lane) => isOpen(lane) && lane.recent.at(-1) === 2;

/** Trouble first, then those at work, then the idle, then those switched off. */
function byTrouble(a: Lane, b: Lane): number {
  const rank = (lane: Lane) => {
    if (lane.status === channelStatuses.autoDisabled) return 0;
    if (!isOpen(lane)) return 5;
    return lane.tripped ? 1 : isFailing(lane) ? 2 : lane.recent.length > 0 ? 3 : 4;
  };
  return rank(a) - rank(b) || b.id - a.id;
}

export function Lanes({ lanes }: { lanes: readonly Lane[] | undefined }) {
  const { t } = useTranslation();
  const ordered = [...(lanes ?? [])].sort(byTrouble);
  return (
    <>
      <div className={layout.head}>
        <h2>{t('detail.lanes.title')}</h2>
        <span className={layout.hint}>{t('detail.lanes.hint')}</span>
        {lanes !== undefined && (
          <span className={layout.end}>
            {lanes.length === 0 ? (
              <Link to="/channel?new=1">{t('detail.lanes.create')}</Link>
            ) : (
              <Link to="/channel">{t('detail.lanes.all', { count: lanes.length })}</Link>
            )}
          </span>
        )}
      </div>
      {lanes?.length === 0 && <p className={layout.empty}>{t('detail.lanes.empty')}</p>}
      <ul className={classes.list}>
        {ordered.slice(0, shown).map((lane) => (
          <LaneRow key={lane.id} lane={lane} />
        ))}
      </ul>
    </>
  );
}

function LaneRow({ lane }: { lane: Lane }) {
  const { t } = useTranslation();
  const recent = lane.recent.slice(-ticks);
  const off = !isOpen(lane);
  const counts = { ok: 0, slow: 0, failed: 0 };
  for (const outcome of recent) counts[outcome === 0 ? 'ok' : outcome === 1 ? 'slow' : 'failed'] += 1;
  const health = t('detail.lanes.health', counts);
  const reason = lane.status_reason === '' ? undefined : `${lane.status_reason} · ${fullTime(lane.status_time)}`;
  const word =
    lane.status === channelStatuses.autoDisabled
      ? t('detail.lanes.autoDisabled')
      : off
        ? t('detail.lanes.disabled')
        : lane.tripped
          ? t('detail.lanes.tripped')
          : isFailing(lane)
            ? t('detail.lanes.failing')
            : lane.response_time > 0
              ? durationText(lane.response_time / 1000)
              : t('detail.lanes.idle');
  const trouble = lane.status === channelStatuses.autoDisabled || lane.tripped || isFailing(lane);
  return (
    <li className={classes.lane} data-off={off || undefined}>
      <TypeLogo type={lane.type} name={lane.name} size={16} grey={off} />
      <span className={classes.name} title={lane.name}>
        {lane.name}
      </span>
      <Tooltip label={health}>
        <span className={classes.ticks} role="img" aria-label={health}>
          {Array.from({ length: ticks }, (_, index) => {
            const outcome = recent[index - (ticks - recent.length)];
            // biome-ignore lint/suspicious/noArrayIndexKey: twenty places that never move
            return <i key={index} data-tone={outcome === undefined ? 'none' : (tones[outcome] ?? 'none')} />;
          })}
        </span>
      </Tooltip>
      <Tooltip label={reason} disabled={reason === undefined}>
        <span className={classes.time} data-trouble={trouble || undefined} data-idle={lane.recent.length === 0 || undefined}>
          {word}
        </span>
      </Tooltip>
    </li>
  );
}
