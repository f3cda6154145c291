/** The section of the settings that holds the prices. What draws it is loaded when it comes into sight. */
import { lazy, Suspense, useId, useRef } from 'react';
import type { PanelId } from '../../../../core/options/facts.ts';
import { LoadingRows } from '../../../components/states.tsx';
import { PanelTitle } from '../../../form/panel-title.tsx';
import type { OptionForm } from '../../../form/use-option-form.ts';
import { useSeen } from '../../../hooks/use-seen.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './prices.module.css';

const PriceArea = lazy(async () => ({ default: (await import('./index.tsx')).PriceArea }));

export function PriceSection({ panel, form }: { readonly panel: PanelId; readonly form: OptionForm }) {
  const { t } = useTranslation();
  const id = useId();
  const place = useRef<HTMLElement>(null);
  const seen = useSeen(place);
  const loading = <LoadingRows rows={10} height={42} />;
  return (
    <section ref={place} id={panel} className={classes.section} aria-labelledby={id}>
      <PanelTitle id={id} panel={panel}>
        {t('prices.title')}
      </PanelTitle>
      <p className={classes.dim}>{t('prices.subtitle')}</p>
      <Suspense fallback={loading}>{seen ? <PriceArea form={form} /> : loading}</Suspense>
    </section>
  );
}
