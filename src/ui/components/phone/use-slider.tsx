import { type ReactNode, Suspense, useState } from 'react';
import { toastProblem } from '../../client/failures.ts';
import { latePart } from '../../client/late-part.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Dialog } from '../dialog.tsx';

const SliderPuzzle = latePart(async () => ({
  default: (await import('./slider-puzzle.tsx')).SliderPuzzle,
}));

/** Milliseconds that the solved puzzle stays in view. */
const shownMs = 600;

export interface Slider {
  readonly isPassed: boolean;
  /** Asks for the puzzle unless it was passed; `then` is called once it is. */
  readonly require: (then?: () => void) => void;
  readonly dialog: ReactNode;
}

/**
 * The puzzle before a code is sent. It is decided in the browser; the limits of codes are the
 * server's.
 */
export function useSlider(): Slider {
  const { t } = useTranslation();
  const [isPassed, setPassed] = useState(false);
  const [pending, setPending] = useState<{ readonly then?: (() => void) | undefined }>();
  const close = () => setPending(undefined);
  const cancel = () => {
    close();
    if (!isPassed) toastProblem(t('slider.cancelled'));
  };
  const pass = () => {
    setPassed(true);
    window.setTimeout(() => {
      close();
      pending?.then?.();
    }, shownMs);
  };
  return {
    isPassed,
    require: (then) => (isPassed ? then?.() : setPending({ then })),
    dialog: (
      <Dialog
        opened={pending !== undefined}
        onClose={cancel}
        size="auto"
        centered
        closeButtonProps={{ 'aria-label': t('common.close') }}
        title={t('slider.title')}
      >
        <Suspense fallback={<div style={{ width: 300, height: 304 }} />}>
          <SliderPuzzle onPass={pass} />
        </Suspense>
      </Dialog>
    ),
  };
}
