/**
 * An image of a result: small in the list, large in a dialog. One of another site is shown in the
 * dialog only. Addresses that a page must not follow are not drawn.
 */
import { ExternalLink, Image, ImageOff } from 'lucide-react';
import { useState } from 'react';
import { reachable } from '../../browser/result-address.ts';
import { shownFile } from '../../browser/shown-file.ts';
import { openDialog } from '../../components/dialogs.ts';
import { ShownFile } from '../../components/shown-file.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './preview.module.css';

interface ImageProps {
  readonly address: string;
  /** What it shows, for screen readers. */
  readonly name: string;
}

function Picture({ address, className }: { address: string; className: string | undefined }) {
  const { t } = useTranslation();
  const [failed, setFailed] = useState(false);
  if (failed)
    return (
      <span className={classes.failed} title={t('taskLog.image.failed')}>
        <ImageOff size={16} strokeWidth={1.75} aria-label={t('taskLog.image.failed')} />
      </span>
    );
  return (
    <img
      className={className}
      src={address}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setFailed(true)}
    />
  );
}

/** A thumbnail that opens the image in a dialog. `large`: of a row that is open. */
export function ImagePreview({
  address,
  name,
  large = false,
}: ImageProps & { readonly large?: boolean }) {
  const { t } = useTranslation();
  const file = shownFile(address);
  if (file === undefined) return null;
  const safe = reachable(address);
  const open = () =>
    openDialog({
      title: t('taskLog.image.title'),
      role: 'dialog',
      size: 880,
      withCloseButton: true,
      content: () => (
        <figure className={classes.figure}>
          <ShownFile address={address} kind="image" loadsAtOnce>
            {(src, onBroken) => (
              <img
                className={classes.whole}
                src={src}
                alt={name}
                referrerPolicy="no-referrer"
                onError={onBroken}
              />
            )}
          </ShownFile>
          <figcaption className={classes.caption}>
            <span>{name}</span>
            <a href={safe} target="_blank" rel="noopener noreferrer">
              {t('taskLog.openOriginal')}{' '}
              <ExternalLink size={14} strokeWidth={1.75} aria-hidden="true" />
            </a>
          </figcaption>
        </figure>
      ),
    });
  return (
    <button
      type="button"
      className={classes.thumb}
      data-large={large || undefined}
      aria-label={t('taskLog.image.open', { name })}
      onClick={(event) => {
        event.stopPropagation();
        open();
      }}
    >
      {file.kind === 'own' ? (
        <Picture address={file.src} className={classes.picture} />
      ) : (
        <span className={classes.elsewhere}>
          <Image size={16} strokeWidth={1.75} aria-hidden="true" />
          {large && file.host}
        </span>
      )}
    </button>
  );
}
