/** The chosen video: its state, and once it is made the video itself. */
import { Button } from '@mantine/core';
import { Download, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { Video } from '../../../../core/contract/video.ts';
import { reachable } from '../../../browser/result-address.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { fullTime } from '../../../hooks/use-time-text.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { StatusBadge } from './status-badge.tsx';
import { isUnfinished } from './use-videos.ts';
import classes from './video.module.css';
import { orderOf } from './video-order.ts';

interface VideoPreviewProps {
  readonly video: Video;
  readonly isBusy: boolean;
  readonly onAgain: () => void;
}

export function VideoPreview({ video, isBusy, onAgain }: VideoPreviewProps) {
  const { t } = useTranslation();
  const order = orderOf(video);
  const address = video.status === 'SUCCESS' ? reachable(video.video_url) : '';
  const facts = [order.model, order.size.replace('*', ' × '), fullTime(video.created_at)].filter(
    (fact) => fact !== '',
  );
  return (
    <article className={classes.preview} aria-busy={isUnfinished(video)}>
      <Stage video={video} address={address} prompt={order.prompt} />
      <div className={classes.line}>
        <StatusBadge status={video.status} />
        <span className={classes.facts}>{facts.join(' · ')}</span>
        <span className={classes.actions}>
          {address !== '' && (
            <Button
              component="a"
              href={address}
              download={`${video.task_id}.mp4`}
              size="xs"
              variant="default"
              leftSection={<Download size={14} strokeWidth={1.75} />}
            >
              {t('video.download')}
            </Button>
          )}
          {!isUnfinished(video) && (
            <Button
              size="xs"
              variant="default"
              disabled={isBusy}
              leftSection={<RotateCcw size={14} strokeWidth={1.75} />}
              onClick={onAgain}
            >
              {t('video.again')}
            </Button>
          )}
        </span>
      </div>
      {order.prompt !== '' && (
        <p className={classes.prompt}>
          {order.prompt} <CopyButton text={order.prompt} label={t('video.copyPrompt')} />
        </p>
      )}
    </article>
  );
}

function Stage({ video, address, prompt }: { video: Video; address: string; prompt: string }) {
  const { t } = useTranslation();
  const [broken, setBroken] = useState('');
  if (isUnfinished(video) || video.status === 'UNKNOWN') {
    const percent = Number.parseFloat(video.progress) || 0;
    return (
      <div className={classes.stage} role="status">
        <div
          className={classes.bar}
          role="progressbar"
          aria-label={t('taskLog.column.progress')}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ width: `${percent}%` }} />
        </div>
        <p>{t('video.waiting')}</p>
      </div>
    );
  }
  if (video.status === 'FAILURE')
    return (
      <div className={classes.stage} data-failed role="alert">
        <p className={classes.failed}>{t('video.failed')}</p>
        <p className={classes.reason}>{video.fail_reason}</p>
        <p>{t('video.refundHint')}</p>
      </div>
    );
  if (address === '') return <div className={classes.stage}>{t('video.gone')}</div>;
  return (
    <div>
      {/* biome-ignore lint/a11y/useMediaCaption: generated videos have no captions */}
      <video
        key={video.task_id}
        className={classes.video}
        src={address}
        aria-label={prompt || t('video.title')}
        controls
        loop
        playsInline
        preload="metadata"
        onError={() => setBroken(address)}
      />
      {broken === address && (
        <p className={classes.note} role="status">
          {t('video.broken')}
        </p>
      )}
    </div>
  );
}
