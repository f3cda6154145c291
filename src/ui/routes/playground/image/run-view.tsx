/** One request for images: its prompt, what came of it, what it cost. */
import { Button } from '@mantine/core';
import { Download, ExternalLink, PenLine, Square, Trash2 } from 'lucide-react';
import { downloadFile } from '../../../browser/download.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { ShownFile } from '../../../components/shown-file.tsx';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { ErrorBox } from '../error-box.tsx';
import classes from './image.module.css';
import type { ImageRun } from './image-store.ts';
import { isKeptImage } from './kept-images.ts';

interface RunViewProps {
  readonly run: ImageRun;
  readonly onAgain: () => void;
  readonly onReuse: () => void;
  readonly onStop: () => void;
  readonly onRemove: () => void;
  readonly onChoose: () => void;
}

export function RunView({ run, onAgain, onReuse, onStop, onRemove, onChoose }: RunViewProps) {
  const { t } = useTranslation();
  const money = useMoney();
  const { order, status, images, error, totalMs, quota } = run;
  const facts = [
    order.model,
    order.size === 'auto' ? undefined : order.size.replace('x', ' × '),
    totalMs === undefined
      ? undefined
      : t('playground.stat.time', { time: (totalMs / 1000).toFixed(1) }),
    quota === undefined ? undefined : t('playground.stat.cost', { cost: money.cost(quota).text }),
    status === 'stopped' ? t('playground.state.stopped') : undefined,
    status === 'left' ? t('playground.image.ended') : undefined,
  ].filter((fact) => fact !== undefined);
  return (
    <article className={classes.run} aria-label={order.prompt} aria-busy={status === 'loading'}>
      <p className={classes.prompt}>{order.prompt}</p>
      <div className={classes.facts}>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        <span className={classes.tools}>
          <CopyButton text={order.prompt} label={t('playground.image.copyPrompt')} />
          <IconButton size={24} label={t('playground.image.reuse')} onClick={onReuse}>
            <PenLine size={14} />
          </IconButton>
          <IconButton size={24} label={t('playground.image.remove')} onClick={onRemove}>
            <Trash2 size={14} />
          </IconButton>
        </span>
      </div>
      {error !== undefined && <ErrorBox error={error} onRetry={onAgain} onChoose={onChoose} />}
      {status === 'complete' && images.length === 0 && (
        <p className={classes.note}>{t('playground.image.none')}</p>
      )}
      {status === 'loading' && (
        <div className={classes.waiting} role="status">
          <span>{t('playground.image.running')}</span>
          <Button
            variant="default"
            size="xs"
            leftSection={<Square size={10} fill="currentColor" />}
            onClick={onStop}
          >
            {t('playground.stop')}
          </Button>
        </div>
      )}
      <ul className={classes.grid}>
        {images.map((address, index) => (
          <li key={address.slice(-64)}>
            <Result address={address} prompt={order.prompt} n={index + 1} />
          </li>
        ))}
      </ul>
    </article>
  );
}

function Result({ address, prompt, n }: { address: string; prompt: string; n: number }) {
  const { t } = useTranslation();
  const isInline = address.startsWith('data:');
  const download = () => {
    const [head = '', base64 = ''] = address.split(',', 2);
    const type = /^data:([\w/+.-]+)/.exec(head)?.[1] ?? 'image/png';
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const extension = type.slice(type.indexOf('/') + 1).replace('jpeg', 'jpg');
    downloadFile(`${prompt.slice(0, 40).trim()}-${n}.${extension}`, new Blob([bytes], { type }));
  };
  return (
    <figure className={classes.result}>
      <ShownFile
        address={address}
        kind="image"
        loadsAtOnce
        fallback={<p className={classes.note}>{t('playground.image.broken')}</p>}
      >
        {(src, onBroken) => (
          <img
            src={src}
            alt={t('playground.image.alt', { prompt, n })}
            loading="lazy"
            onError={onBroken}
          />
        )}
      </ShownFile>
      <figcaption>
        {isInline ? (
          <IconButton label={t('playground.image.download')} onClick={download}>
            <Download size={16} />
          </IconButton>
        ) : isKeptImage(address) ? (
          <Button
            component="a"
            href={address}
            download
            size="compact-sm"
            variant="default"
            leftSection={<Download size={14} />}
          >
            {t('playground.gallery.download')}
          </Button>
        ) : (
          <>
            {/* Pages cannot download files of other sites: their own page offers it. */}
            <Button
              component="a"
              href={address}
              target="_blank"
              rel="noreferrer"
              download
              size="compact-sm"
              variant="default"
              leftSection={<ExternalLink size={14} />}
            >
              {t('playground.image.open')}
            </Button>
            <CopyButton text={address} label={t('playground.image.copyAddress')} />
          </>
        )}
      </figcaption>
    </figure>
  );
}
