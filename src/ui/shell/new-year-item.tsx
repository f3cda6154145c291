/**
 * The menu item of 1 January: a loading bar runs for three seconds, ten seconds later the page
 * loads again (docs/rules/console.md#new-year).
 */
import { Progress } from '@mantine/core';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from '../i18n/index.ts';
import classes from './new-year-item.module.css';

const barMs = 3000;
const reloadMs = 10_000;
const stepMs = 100;

export function NewYearItem({
  className = '',
  onPick,
}: {
  className?: string | undefined;
  onPick?: () => void;
}) {
  const { t } = useTranslation();
  const [elapsed, setElapsed] = useState<number>();
  const isRunning = elapsed !== undefined && elapsed < barMs;
  useEffect(() => {
    if (!isRunning) return;
    const timer = window.setInterval(() => setElapsed((last = 0) => last + stepMs), stepMs);
    return () => window.clearInterval(timer);
  }, [isRunning]);
  const start = () => {
    onPick?.();
    if (elapsed !== undefined) return;
    setElapsed(0);
    // Also when the menu that holds the item is closed meanwhile.
    window.setTimeout(() => window.location.reload(), barMs + reloadMs);
  };
  return (
    <>
      <button type="button" className={`${className} ${classes.item}`} onClick={start}>
        {t('shell.newYear')}
      </button>
      {isRunning &&
        createPortal(
          <Progress
            className={classes.bar ?? ''}
            size={3}
            radius={0}
            value={(elapsed / barMs) * 100}
            aria-label={t('shell.newYear')}
          />,
          document.body,
        )}
    </>
  );
}
