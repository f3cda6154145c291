/** Cells that drawings and tasks share. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { TaskView } from '../../../core/tasks/task-view.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { CostText } from '../../components/money-text.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { ValueTag } from '../../components/tag.tsx';
import { clockTime, dayText, durationText, fullTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from './task-log.module.css';
import { actionWord, statusWord } from './work-words.ts';

export const dash = <span className={classes.dim}>—</span>;

/** A task that took longer is red (docs/rules/console.md#measured-values). */
const longSeconds = 60;

export function TimeCell({
  row,
  open,
  onToggle,
}: {
  row: TaskView;
  open: boolean;
  onToggle: (keep: boolean) => void;
}) {
  const { t } = useTranslation();
  const Icon = open ? ChevronDown : ChevronRight;
  const at = clockTime(row.submitted);
  return (
    <span className={classes.time} title={fullTime(row.submitted)}>
      <button
        type="button"
        tabIndex={-1}
        className={classes.chevron}
        aria-expanded={open}
        aria-label={t(open ? 'taskLog.collapse' : 'taskLog.expand', {
          id: row.publicId || `#${row.entity.id}`,
        })}
        onClick={(event) => onToggle(event.shiftKey)}
      >
        <Icon size={14} strokeWidth={1.75} />
      </button>
      <span className={classes.dim}>{dayText(row.submitted)}</span> {at}
    </span>
  );
}

export function WorkId({ row }: { row: TaskView }) {
  const { t } = useTranslation();
  if (row.publicId === '') return dash;
  return (
    <span className={classes.id}>
      <code title={row.publicId}>{row.publicId}</code>
      <CopyButton text={row.publicId} label={t('taskLog.copyId', { id: row.publicId })} />
    </span>
  );
}

/** An action or a platform that this release has no word for. */
export function UnknownName({ name }: { name: string }) {
  return (
    <span className={classes.unknown} title={name}>
      {name}
    </span>
  );
}

export function ActionTag({ action }: { action: string }) {
  const { t } = useTranslation();
  const word = actionWord(action);
  if (word === undefined) return action === '' ? dash : <UnknownName name={action} />;
  return <ValueTag tone={word.tone}>{t(word.label)}</ValueTag>;
}

/**
 * The reason of a failure on hover and focus; `plain`: inside a button, which cannot contain what
 * is focused.
 */
export function WorkStatus({ row, plain = false }: { row: TaskView; plain?: boolean }) {
  const { t } = useTranslation();
  const { status, fail_reason } = row.entity;
  const { label, tone } = statusWord(status);
  return (
    <StatusDot tone={tone} label={t(label)} detail={plain ? undefined : fail_reason || undefined} />
  );
}

export function Progress({ row }: { row: TaskView }) {
  const { t } = useTranslation();
  const { percent, entity } = row;
  const tone = entity.status === 'FAILURE' ? 'red' : row.isRunning ? 'blu' : 'ok';
  return (
    <span className={classes.progress}>
      <span>{Math.round(percent)}%</span>
      <span
        className={classes.bar}
        role="progressbar"
        aria-label={t('taskLog.column.progress')}
        aria-valuenow={Math.round(percent)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i data-tone={tone} style={{ width: `${percent}%` }} />
      </span>
    </span>
  );
}

export function Duration({ row }: { row: TaskView }) {
  if (row.seconds === undefined || row.seconds < 0) return dash;
  return (
    <ValueTag tone={row.seconds > longSeconds ? 'red' : 'ok'}>{durationText(row.seconds)}</ValueTag>
  );
}

/** What it costs; of a failed one, what was given back. */
export function Charge({ row }: { row: TaskView }) {
  const { t } = useTranslation();
  const { quota, refunded } = row.entity;
  if (refunded === 0) return quota === 0 ? dash : <CostText quota={quota} />;
  return (
    <span className={classes.refunded}>
      <ValueTag tone="blu">
        <span className={classes.refundedWord}>{t('taskLog.refunded')}</span>
        <CostText quota={refunded} />
      </ValueTag>
    </span>
  );
}

export function ChannelCell({ row }: { row: TaskView }) {
  const { channel_id, channel_name = '' } = row.entity;
  if (channel_id === 0) return dash;
  return (
    <span className={classes.name} title={channel_name}>
      <span className={classes.dim}>#{channel_id}</span> {channel_name}
    </span>
  );
}

export function UserCell({ row }: { row: TaskView }) {
  const { username = '', user_id } = row.entity;
  return (
    <span className={classes.name} title={username}>
      {username === '' ? `#${user_id}` : username}
    </span>
  );
}

/** One line of a long text; all of it stands below the row. */
export function LineText({ text }: { text: string }) {
  if (text === '') return dash;
  return (
    <span className={classes.line} title={text.slice(0, 500)}>
      {text}
    </span>
  );
}
