import { Button } from '@mantine/core';
import { useRef } from 'react';
import { FailedState } from '../../../components/states.tsx';
import { useNearEnd } from '../../../hooks/use-near-end.ts';
import { minuteTime } from '../../../hooks/use-time-text.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { StatusBadge } from './status-badge.tsx';
import type { Videos } from './use-videos.ts';
import classes from './video.module.css';
import { orderOf } from './video-order.ts';

interface VideoHistoryProps {
  readonly list: Videos;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

/** Ten at a time, newest first; more when its end is reached. */
export function VideoHistory({ list, selected, onSelect }: VideoHistoryProps) {
  const { t } = useTranslation();
  const end = useRef<HTMLDivElement>(null);
  const { videos, hasMore, isLoadingMore, loadMore, pages, error, isLoading, retry } = list;
  useNearEnd(end, pages, () => {
    if (hasMore && !isLoadingMore) loadMore();
  });
  return (
    <section className={classes.history} aria-label={t('video.history')}>
      <h2 className={classes.historyTitle}>{t('video.history')}</h2>
      {error !== null && videos.length === 0 && (
        <FailedState title={t('video.history.failed')} error={error} onRetry={retry} />
      )}
      {!isLoading && error === null && videos.length === 0 && (
        <p className={classes.note}>{t('video.history.empty')}</p>
      )}
      <ul className={classes.items}>
        {videos.map((video) => (
          <li key={video.task_id}>
            <button
              type="button"
              className={classes.item}
              aria-current={video.task_id === selected || undefined}
              onClick={() => onSelect(video.task_id)}
            >
              <span className={classes.itemPrompt}>
                {orderOf(video).prompt || t('video.untitled')}
              </span>
              <span className={classes.itemFacts}>
                <StatusBadge status={video.status} />
                <span>{minuteTime(video.created_at).slice(5)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div ref={end} className={classes.end}>
        {hasMore && (
          <Button variant="default" size="xs" fullWidth loading={isLoadingMore} onClick={loadMore}>
            {t('video.history.more')}
          </Button>
        )}
      </div>
    </section>
  );
}
