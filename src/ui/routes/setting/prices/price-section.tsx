/**
 * The section of the settings that holds the prices. What draws it is loaded when it comes into
 * sight.
 */

import { Suspense, useId, useRef } from 'react';
import type { PanelId } from '../../../../core/options/facts.ts';
import { latePart } from '../../../client/late-part.ts';
import { LoadingRows } from '../../../components/states.tsx';
import { PanelTitle } from '../../../form/panel-title.tsx';
import type { OptionForm } from '../../../form/use-option-form.ts';
import { useSeen } from '../../../hooks/use-seen.ts';
import { loadTextPart, useTranslation } from '../../../i18n/index.ts';
import { useOptionTexts } from '../../../i18n/option-texts.ts';
import classes from './prices.module.css';

const PriceArea = latePart(async () => {
  const [module] = await Promise.all([import('./index.tsx'), loadTextPart('prices')]);
  return { default: module.PriceArea };
});

export function PriceSection({
  panel,
  form,
}: {
  readonly panel: PanelId;
  readonly form: OptionForm;
}) {
  const { t } = useTranslation();
  const texts = useOptionTexts();
  const id = useId();
  const place = useRef<HTMLElement>(null);
  const seen = useSeen(place);
  const loading = <LoadingRows rows={10} height={42} />;
  return (
    <section ref={place} id={panel} className={classes.section} aria-labelledby={id}>
      <PanelTitle id={id} panel={panel}>
        {texts.panel(panel)}
      </PanelTitle>
      <p className={classes.dim}>{t('setting.prices')}</p>
      <Suspense fallback={loading}>{seen ? <PriceArea form={form} /> : loading}</Suspense>
    </section>
  );
}
