/**
 * The server is gone in mid-use: says so, tries again by itself, and reads everything again once it
 * is back. Where it was upgraded meanwhile, the page offers to be loaded again, and keeps what is
 * typed until then (docs/rules/console.md#new-build).
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { client } from '../client/api.ts';
import { useConnection } from '../client/connection.ts';
import { useTranslation } from '../i18n/index.ts';
import classes from './connection-banner.module.css';

/** Time between attempts, ms. */
const retryMs = 3000;

export function ConnectionBanner() {
  const { t } = useTranslation();
  const connection = useConnection();
  const isLost = connection === 'lost';
  const queryClient = useQueryClient();
  const [trying, setTrying] = useState(false);
  const attempt = useCallback(async () => {
    setTrying(true);
    const reached = await client.system.status().then(
      () => true,
      () => false,
    );
    setTrying(false);
    if (reached) await queryClient.invalidateQueries();
  }, [queryClient]);
  useEffect(() => {
    if (!isLost) return;
    const timer = window.setInterval(() => void attempt(), retryMs);
    // The computer is back on the network.
    const now = () => void attempt();
    window.addEventListener('online', now);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener('online', now);
    };
  }, [isLost, attempt]);
  if (connection === 'other-build') return <NewBuild />;
  if (!isLost) return null;
  return (
    <div ref={measured} className={classes.banner} role="alert" data-banner="">
      <b>{t('offline.banner')}</b>
      <span>{t('offline.banner.text')}</span>
      <button
        type="button"
        className={classes.retry}
        disabled={trying}
        onClick={() => void attempt()}
      >
        {t('offline.banner.retry')}
      </button>
    </div>
  );
}

/** Tells the page how high the banner is: a drawer begins below it. */
function measured(banner: HTMLElement | null): (() => void) | undefined {
  if (banner === null) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() =>
    style.setProperty('--tp-banner', `${banner.offsetHeight}px`),
  );
  observer.observe(banner);
  return () => observer.disconnect();
}

function NewBuild() {
  const { t } = useTranslation();
  const [isLater, setLater] = useState(false);
  if (isLater) return null;
  return (
    <div
      ref={measured}
      className={`${classes.banner} ${classes.news}`}
      role="status"
      data-banner=""
    >
      <b>{t('newBuild.text')}</b>
      <button type="button" className={classes.retry} onClick={() => window.location.reload()}>
        {t('crash.reload')}
      </button>
      <button type="button" className={classes.retry} onClick={() => setLater(true)}>
        {t('newBuild.later')}
      </button>
    </div>
  );
}
