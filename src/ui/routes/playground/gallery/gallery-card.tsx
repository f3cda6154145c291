/** One order of the gallery: what was made, from which prompt, when and for how much. */
import { Button } from '@mantine/core';
import { Download, ExternalLink, PenLine, RotateCcw, Trash2 } from 'lucide-react';
import type { TaskResult } from '../../../../core/contract/task-results.ts';
import { reachable } from '../../../browser/result-address.ts';
import { shownFile } from '../../../browser/shown-file.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { ShownFile } from '../../../components/shown-file.tsx';
import { useMoney } from '../../../hooks/use-money.ts';
import { minuteTime } from '../../../hooks/use-time-text.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './gallery.module.css';
import type { GalleryItem } from './use-gallery.ts';

interface CardProps {
  readonly item: GalleryItem;
  /** Absent: the console has no form for such an order. */
  readonly onAgain?: (() => void) | undefined;
  /** Absent: it is no image. */
  readonly onEdit?: ((address: string) => void) | undefined;
  readonly onRemove: () => void;
  readonly isBusy: boolean;
}

export function GalleryCard({ item, onAgain, onEdit, onRemove, isBusy }: CardProps) {
  const { t } = useTranslation();
  const { cost } = useMoney();
  const { prompt, model, madeAt, quota, results } = item;
  const name = prompt || model;
  return (
    <article className={classes.card} aria-label={name}>
      {results.length === 0 && <p className={classes.gone}>{t('playground.gallery.gone')}</p>}
      {results.map((result, index) => (
        <Result
          // biome-ignore lint/suspicious/noArrayIndexKey: the results of an order keep their places
          key={index}
          {...{ result, onEdit }}
          name={
            result.video === '' && result.audio === ''
              ? t('playground.image.alt', { prompt: name, n: index + 1 })
              : `${name} ${index + 1}`
          }
        />
      ))}
      <p className={classes.prompt} dir="auto" title={prompt}>
        {prompt}
      </p>
      <p className={classes.facts}>
        <span>{model}</span>
        <span>{minuteTime(madeAt)}</span>
        <span>{cost(quota).text}</span>
      </p>
      <div className={classes.tools}>
        {onAgain !== undefined && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<RotateCcw size={14} />}
            onClick={onAgain}
          >
            {t('playground.gallery.again')}
          </Button>
        )}
        <CopyButton text={prompt} label={t('playground.image.copyPrompt')} />
        <IconButton label={t('playground.gallery.delete')} disabled={isBusy} onClick={onRemove}>
          <Trash2 size={16} />
        </IconButton>
      </div>
    </article>
  );
}

interface ResultProps extends Pick<CardProps, 'onEdit'> {
  readonly result: TaskResult;
  readonly name: string;
}

function Result({ result: { image, video, audio, text }, name, onEdit }: ResultProps) {
  const { t } = useTranslation();
  const kind = audio !== '' ? 'audio' : video !== '' ? 'video' : 'image';
  const address = audio || video || image;
  if (address === '') return text === '' ? null : <p className={classes.prompt}>{text}</p>;
  const isOwn = shownFile(address)?.kind === 'own';
  const Icon = isOwn ? Download : ExternalLink;
  return (
    <figure className={classes.result}>
      <ShownFile
        address={address}
        kind={kind}
        fallback={<p className={classes.gone}>{t('playground.image.broken')}</p>}
      >
        {(src, onBroken) =>
          kind === 'image' ? (
            <img src={src} alt={name} loading="lazy" onError={onBroken} />
          ) : kind === 'video' ? (
            // biome-ignore lint/a11y/useMediaCaption: nobody has captions of what a model made
            <video src={src} controls preload="metadata" aria-label={name} onError={onBroken} />
          ) : (
            // biome-ignore lint/a11y/useMediaCaption: nobody has captions of what a model made
            <audio src={src} controls preload="none" aria-label={name} onError={onBroken} />
          )
        }
      </ShownFile>
      <figcaption className={classes.tools}>
        <Button
          component="a"
          href={reachable(address)}
          {...(isOwn ? { download: '' } : { target: '_blank', rel: 'noreferrer' })}
          size="compact-sm"
          variant="default"
          leftSection={<Icon size={14} />}
        >
          {t(isOwn ? 'playground.gallery.download' : 'playground.image.open')}
        </Button>
        {onEdit !== undefined && isOwn && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<PenLine size={14} />}
            onClick={() => onEdit(address)}
          >
            {t('playground.gallery.edit')}
          </Button>
        )}
      </figcaption>
    </figure>
  );
}
