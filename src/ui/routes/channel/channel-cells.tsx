/** Cells of the channel table that measure or edit something. */
import { Tooltip } from '@mantine/core';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { formatBalance } from '../../../core/pricing/format-sums.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { responseText, responseTone } from '../../components/measured-tone.ts';
import { StatusDot } from '../../components/status-dot.tsx';
import { ExplainedTag, ValueTag } from '../../components/tag.tsx';
import { useAgeText } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import { InlineNumber } from '../../list/inline-number.tsx';
import classes from './channel.module.css';
import type { TagRow } from './channel-rows.ts';

/** Seconds with two decimals (docs/rules/console.md#measured-values); 0 is untested. */
function TimeTag({ milliseconds }: { milliseconds: number }) {
  const { t } = useTranslation();
  return (
    <ValueTag tone={responseTone(milliseconds)}>
      {milliseconds <= 0 ? t('channel.untested') : responseText(milliseconds)}
    </ValueTag>
  );
}

/** How the last test went: its time, or that it failed and why. */
export function TestTag({ channel }: { channel: ChannelEntity }) {
  const { t } = useTranslation();
  const age = useAgeText();
  const { test_error: error, test_time: at } = channel;
  if (error !== undefined) {
    return (
      <ExplainedTag tone="red" why={t('channel.test.why', { time: age(at), reason: error })}>
        {t('channel.test.bad')}
      </ExplainedTag>
    );
  }
  if (at === 0) return <TimeTag milliseconds={channel.response_time} />;
  return (
    <Tooltip label={t('channel.response.when', { time: age(at) })}>
      <span>
        <TimeTag milliseconds={channel.response_time} />
      </span>
    </Tooltip>
  );
}

/** How many of a tag's channels are enabled, and what the others are. */
export function TagStatus({ row }: { row: TagRow }) {
  const { t } = useTranslation();
  const { enabled, disabled, autoDisabled } = channelStatuses;
  const counts = [
    [enabled, row.enabled],
    [disabled, row.disabled],
    [autoDisabled, row.auto_disabled],
  ] as const;
  const detail = counts
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${t(wordKey('status.channel', status))} ${count}`)
    .join(' · ');
  return (
    <StatusDot
      tone={row.enabled > 0 ? 'ok' : 'off'}
      label={`${row.enabled} / ${row.channels}`}
      detail={row.enabled < row.channels ? detail : undefined}
    />
  );
}

/** The mean of a tag's good tests, and how many of its channels failed theirs. */
export function TagTests({ row }: { row: TagRow }) {
  const { t } = useTranslation();
  return (
    <span className={classes.tests}>
      {(row.response_time > 0 || row.failed === 0) && <TimeTag milliseconds={row.response_time} />}
      {row.failed > 0 && (
        <ValueTag tone="red">{t('channel.tag.failed', { count: row.failed })}</ValueTag>
      )}
    </span>
  );
}

/**
 * What the upstream says is left; a click reads it again. In the upstream's currency, so never
 * converted with ours.
 */
export function UpstreamBalance({
  channel,
  onUpdate,
}: {
  channel: ChannelEntity;
  onUpdate: () => void;
}) {
  const { t } = useTranslation();
  const age = useAgeText();
  const known = channel.balance_updated_time > 0;
  const left = formatBalance({ amount: channel.balance, currency: channel.balance_currency ?? '' });
  const hint = known
    ? t('channel.balance.when', { time: age(channel.balance_updated_time) })
    : t('channel.balance.never');
  return (
    <Tooltip label={hint}>
      <button
        type="button"
        className={classes.balance}
        data-empty={(known && channel.balance <= 0) || undefined}
        aria-label={`${t('channel.balance.update', { name: channel.name })}${known ? `, ${left}` : ''}`}
        onClick={onUpdate}
      >
        {known ? left : '—'}
      </button>
    </Tooltip>
  );
}

interface OrderCellProps {
  readonly field: 'priority' | 'weight';
  readonly onSave: (value: number) => Promise<unknown>;
}

function useOrderCheck(field: 'priority' | 'weight') {
  const { t } = useTranslation();
  return (text: string) => {
    if (field === 'priority')
      return /^-?\d{1,9}$/.test(text.trim()) ? undefined : t('channel.inline.integer');
    return /^\d{1,9}$/.test(text.trim()) ? undefined : t('channel.inline.nonNegative');
  };
}

export function OrderCell({ channel, field, onSave }: OrderCellProps & { channel: ChannelEntity }) {
  const { t } = useTranslation();
  const check = useOrderCheck(field);
  return (
    <InlineNumber
      value={channel[field]}
      label={t('channel.inline.edit', { name: channel.name, field: t(`channel.column.${field}`) })}
      check={check}
      onSave={onSave}
    />
  );
}

export function TagOrderCell({ row, field, onSave }: OrderCellProps & { row: TagRow }) {
  const { t } = useTranslation();
  const check = useOrderCheck(field);
  const value = row[field];
  const checkTag = (text: string) =>
    text.trim() === '' ? t(`channel.tag.${field}.missing`) : check(text);
  return (
    <InlineNumber
      value={value ?? 0}
      label={t('channel.inline.edit', { name: row.tag, field: t(`channel.column.${field}`) })}
      check={checkTag}
      onSave={onSave}
      {...(value === null ? { shown: t('channel.tag.mixed') } : {})}
    />
  );
}
