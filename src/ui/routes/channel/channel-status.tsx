import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { parseObject } from '../../../core/kernel/json.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { colourOf } from '../../components/status-colours.ts';
import { StatusDot, type Tone } from '../../components/status-dot.tsx';
import { ExplainedTag } from '../../components/tag.tsx';
import { fullTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import classes from './channel.module.css';

/** What the state says about itself: a word, its colour, and why and since when. */
interface State {
  readonly tone: Tone;
  readonly label: string;
  readonly detail?: string;
}

/**
 * Auto-disabled tells reason and time (docs/rules/channels.md#channel-statuses); so does what keeps
 * traffic away for now.
 */
export function ChannelStatus({ channel }: { channel: ChannelEntity }) {
  const state = useChannelState(channel);
  const { multi_key: keys, marks = [] } = channel;
  const hasKeysTag = keys !== undefined && keys.disabled.length > 0;
  if (!hasKeysTag && marks.length === 0) return <StatusDot {...state} />;
  return (
    <span className={classes.status}>
      <StatusDot {...state} />
      {hasKeysTag && <KeysTag keys={keys} />}
      {marks.length > 0 && <MarksTag marks={marks} />}
    </span>
  );
}

/** What is wrong with prices and costs: the first in short, all of it on demand. */
function MarksTag({ marks }: { marks: NonNullable<ChannelEntity['marks']> }) {
  const { t } = useTranslation();
  const [first] = marks;
  if (first === undefined) return null;
  const more = marks.length > 1 ? ` +${marks.length - 1}` : '';
  return (
    <ExplainedTag
      tone={first.kind === 'below_cost' ? 'red' : 'yel'}
      why={marks.map(({ text }) => text).join('\n')}
    >
      {t(`channel.mark.${first.kind}`)}
      {more}
    </ExplainedTag>
  );
}

function useChannelState(channel: ChannelEntity): State {
  const { t } = useTranslation();
  const health = useHealthState(channel);
  const plain = {
    tone: colourOf('status.channel', channel.status),
    label: t(wordKey('status.channel', channel.status)),
  };
  if (channel.unreadable) return { tone: 'red', label: t('common.unreadable') };
  if (channel.status === channelStatuses.autoDisabled) {
    const { status_reason: stored, status_time: at } = parseObject(channel.other_info) ?? {};
    const reason =
      typeof stored === 'string' && stored !== '' ? stored : t('channel.status.noReason');
    const time = typeof at === 'number' && at > 0 ? at : undefined;
    return {
      ...plain,
      detail:
        time === undefined ? reason : t('channel.status.reason', { reason, time: fullTime(time) }),
    };
  }
  if (channel.status !== channelStatuses.enabled) return plain;
  return health ?? plain;
}

/** What keeps requests away from an enabled channel or key for now; undefined: nothing does. */
export function useHealthState({
  circuit,
  tripped,
  cooling = [],
}: Pick<ChannelEntity, 'circuit' | 'tripped' | 'cooling'>): State | undefined {
  const { t } = useTranslation();
  if (tripped === true || circuit !== undefined) {
    const next =
      circuit === undefined || circuit.retry_in === 0
        ? t('channel.status.tripped.now')
        : t('channel.status.tripped.next', { seconds: circuit.retry_in });
    const since =
      circuit === undefined
        ? ''
        : t('channel.status.tripped.since', { time: fullTime(circuit.since) });
    const cause =
      circuit === undefined || circuit.cause === ''
        ? ''
        : t('channel.status.tripped.cause', { cause: circuit.cause });
    return {
      tone: 'yel',
      label: t('channel.status.tripped'),
      detail: [since, next, cause].filter(Boolean).join(' '),
    };
  }
  if (cooling.length === 0) return undefined;
  const models = cooling.map(({ model, seconds }) =>
    t('channel.status.cooling.model', { model, seconds }),
  );
  const detail = t('channel.status.cooling.hint', { models: models.join(t('common.joint')) });
  return { tone: 'yel', label: t('channel.status.cooling'), detail };
}

/**
 * Some of the channel's keys are switched off: how many are left, and what happened to the others.
 */
function KeysTag({ keys }: { keys: NonNullable<ChannelEntity['multi_key']> }) {
  const { t } = useTranslation();
  const left = keys.size - keys.disabled.length;
  const reasons = keys.disabled
    .map(
      ({ position, reason, time }) =>
        `#${position} ${reason || t('channel.keys.byHand')} (${fullTime(time)})`,
    )
    .join('\n');
  return (
    <ExplainedTag
      tone="org"
      why={`${t('channel.keys.off', { off: keys.disabled.length, size: keys.size })}\n${reasons}`}
    >
      {t('channel.keys.left', { left, size: keys.size })}
    </ExplainedTag>
  );
}
