import { ArrowRight, Check, ShieldCheck } from 'lucide-react';
import { useTranslation } from '../../i18n/index.ts';
import classes from './phone-fields.module.css';
import type { Slider } from './use-slider.tsx';

/** Opens the puzzle, and shows that it was solved. */
export function SliderRow({ slider }: { readonly slider: Slider }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={classes.slider}
      data-passed={slider.isPassed || undefined}
      onClick={() => slider.require()}
      aria-disabled={slider.isPassed || undefined}
    >
      {!slider.isPassed && (
        <i className={classes.knob}>
          <ArrowRight size={16} aria-hidden="true" />
        </i>
      )}
      <span>
        {slider.isPassed && <ShieldCheck size={16} aria-hidden="true" />}
        {t(slider.isPassed ? 'slider.done' : 'slider.open')}
      </span>
      {slider.isPassed && (
        <i className={classes.knob}>
          <Check size={16} aria-hidden="true" />
        </i>
      )}
    </button>
  );
}
