/** One key of a channel in the dialog of its keys. */
import { Button } from '@mantine/core';
import type { ChannelKey } from '../../../core/contract/channel-keys.ts';
import { StatusDot } from '../../components/status-dot.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { fullTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useHealthState } from './channel-status.tsx';
import classes from './keys-dialog.module.css';
import type { TestOutcome } from './use-test-run.ts';

interface KeyRowProps {
  readonly entry: ChannelKey;
  /** Of its last test in this dialog. */
  readonly result: TestOutcome | undefined;
  /** A test is under way. */
  readonly busy: boolean;
  readonly onTest: () => void;
  readonly onAct: (action: 'enable' | 'disable') => void;
  readonly onRemove: () => void;
}

export function KeyRow({ entry, result, busy, onTest, onAct, onRemove }: KeyRowProps) {
  const { t } = useTranslation();
  const health = useHealthState(entry);
  const money = useMoney();
  const { position, name, enabled, reason, time } = entry;
  const state = !enabled
    ? ({ tone: reason === '' ? 'off' : 'red', label: t('channel.keys.state.disabled') } as const)
    : (health ?? ({ tone: 'ok', label: t('channel.keys.state.enabled') } as const));
  const label = (action: string) => t('channel.keys.act', { action, position });
  const [toggle, toggled] = enabled
    ? (['disable', t('common.disable')] as const)
    : (['enable', t('common.enable')] as const);
  return (
    <li>
      <span className={classes.position}>#{position}</span>
      <code className={classes.name}>{name}</code>
      <span className={classes.state}>
        <StatusDot {...state} />
        {!enabled && (
          <span className={classes.dim}>
            {reason === '' ? t('channel.keys.byHand') : reason}
            {time > 0 && ` · ${fullTime(time)}`}
          </span>
        )}
        {enabled && health?.detail !== undefined && (
          <span className={classes.dim}>{health.detail}</span>
        )}
        <span className={classes.dim}>
          {t('channel.keys.spent', {
            today: money.total(entry.spent_today).text,
            month: money.total(entry.spent_30_days).text,
            all: money.total(entry.spent).text,
          })}
        </span>
        <TestText result={result} />
      </span>
      <Button
        size="compact-xs"
        variant="subtle"
        disabled={busy}
        aria-label={label(t('channel.keys.test'))}
        onClick={onTest}
      >
        {t('channel.keys.test')}
      </Button>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={label(toggled)}
        onClick={() => onAct(toggle)}
      >
        {toggled}
      </Button>
      <Button
        size="compact-xs"
        variant="subtle"
        c="var(--tp-red-text)"
        aria-label={label(t('common.delete'))}
        onClick={onRemove}
      >
        {t('common.delete')}
      </Button>
    </li>
  );
}

function TestText({ result }: Pick<KeyRowProps, 'result'>) {
  const { t } = useTranslation();
  if (result === undefined) return null;
  if (result === 'running') return <span className={classes.dim}>{t('channel.test.running')}</span>;
  if (result.ok)
    return (
      <span className={classes.dim}>
        {t('channel.keys.test.ok', { time: result.seconds.toFixed(2) })}
      </span>
    );
  return <span className={classes.failure}>{result.message}</span>;
}
