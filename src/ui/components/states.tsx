/**
 * What stands where rows would: nothing yet, nothing matches, it failed, still loading
 * (docs/rules/console.md#states).
 */
import { Button } from '@mantine/core';
import { CircleAlert, RefreshCw, WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { failureText, isUnreachable, requestIdOf } from '../client/failures.ts';
import { useTranslation } from '../i18n/index.ts';
import classes from './states.module.css';
import { useCopy } from './use-copy.tsx';

function Gate() {
  return (
    <svg
      className={classes.gate}
      width="96"
      height="40"
      viewBox="0 0 96 40"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M0 38.5h96" stroke="var(--tp-rule2)" strokeWidth="1.5" strokeDasharray="7 5" />
      <path d="M15 38V17" stroke="var(--tp-accent)" strokeWidth="4.5" />
      <path d="M15 16 78 6" stroke="var(--tp-accent)" strokeWidth="4" strokeDasharray="11 6" />
    </svg>
  );
}

interface StateProps {
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
  /** `h1` where the state is the whole page. */
  readonly heading?: 'h1' | 'h2';
}

/** What is missing, what to do, one button. */
export function EmptyState({ title, text, action, heading: Heading = 'h2' }: StateProps) {
  return (
    <div className={classes.root} data-whole-page={Heading === 'h1' || undefined}>
      <Gate />
      <Heading className={classes.title}>{title}</Heading>
      <p className={classes.text}>{text}</p>
      {action}
    </div>
  );
}

export function NoMatchState({ title, onClear }: { title: string; onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.root}>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.text}>{t('common.noMatch.hint')}</p>
      <Button variant="default" onClick={onClear}>
        {t('common.noMatch.clear')}
      </Button>
    </div>
  );
}

/** Cause, what was kept, retry, request id to copy. */
export function FailedState({
  title,
  error,
  onRetry,
}: {
  title: string;
  error: unknown;
  onRetry: () => void;
}) {
  const { t } = useTranslation();
  const { copy } = useCopy();
  const requestId = requestIdOf(error);
  const Icon = isUnreachable(error) ? WifiOff : CircleAlert;
  return (
    <div className={classes.root} role="alert">
      <Icon size={24} color="var(--tp-red)" strokeWidth={1.75} aria-hidden="true" />
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.text}>
        {t('common.failed.hint', { reason: failureText(error).replace(/[。.]$/, '') })}
      </p>
      <Button variant="default" leftSection={<RefreshCw size={14} />} onClick={onRetry}>
        {t('common.retry')}
      </Button>
      {requestId !== undefined && (
        <button
          type="button"
          className={classes.requestId}
          title={t('common.requestId')}
          onClick={() => void copy(requestId)}
        >
          {requestId}
        </button>
      )}
    </div>
  );
}

/** Skeleton rows of the real height; they wait 150 ms, so that quick answers do not flicker. */
export function LoadingRows({ rows, height }: { rows: number; height: number }) {
  return (
    <div className={classes.rows} aria-busy="true">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <div key={index} className={classes.row} style={{ height }}>
          <i className={classes.block} style={{ width: 20, height: 20 }} />
          <i className={classes.block} style={{ width: `${28 + ((index * 37) % 22)}%` }} />
          <span className={classes.gap} />
          <i className={classes.block} style={{ width: 56 }} />
          <i className={classes.block} style={{ width: 84 }} />
        </div>
      ))}
    </div>
  );
}
