import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import classes from './model-drawer.module.css';

/**
 * Two lines of a text, and a button for the rest where there is one. It is plain text: markup in it
 * is shown as it is.
 */
export function FoldedText({ text }: { text: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);
  const place = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another length
  useLayoutEffect(() => {
    const { current } = place;
    if (current !== null && !open) setLong(current.scrollHeight > current.clientHeight + 1);
  }, [text, open]);
  return (
    <div>
      <p ref={place} className={classes.text} data-folded={!open || undefined}>
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          className={classes.unfold}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'square.fold' : 'square.unfold')}
        </button>
      )}
    </div>
  );
}
