/** Group, model, size, length and image of the next video, with what it costs. */

import { NativeSelect } from '@mantine/core';
import { Suspense } from 'react';
import { latePart } from '../../../client/late-part.ts';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { roughCost } from '../chat/estimate.ts';
import { ChoiceFields } from '../choice-fields.tsx';
import type { Choices, Wanted } from '../choices.ts';
import { Figures } from '../figures.tsx';
import classes from './video.module.css';
import {
  type ImageUse,
  isDefaultModel,
  secondsCharged,
  secondsOf,
  sizesOf,
} from './video-order.ts';

// Only some models take an image.
const ImageUpload = latePart(async () => ({
  default: (await import('../../../components/image-upload/image-upload.tsx')).ImageUpload,
}));

interface VideoSettingsProps {
  readonly choices: Choices;
  readonly size: string;
  readonly seconds: number | undefined;
  readonly image: string;
  readonly imageUse: ImageUse;
  readonly imageProblem: string | undefined;
  readonly onChange: (
    change: Partial<Wanted & { size: string; image: string; seconds: number }>,
  ) => void;
  readonly onBusy: (busy: boolean) => void;
}

export function VideoSettings(props: VideoSettingsProps) {
  const { choices, size, seconds, image, imageUse, imageProblem, onChange, onBusy } = props;
  const { t } = useTranslation();
  const { model } = choices;
  const lengths = secondsOf(model?.model ?? '');
  const followsImage = imageUse === 'needed' || (imageUse === 'optional' && image !== '');
  return (
    <>
      <ChoiceFields choices={choices} onChange={onChange} />
      {model !== undefined && isDefaultModel(model) && (
        <p className={classes.hint}>{t('video.model.default')}</p>
      )}
      {imageUse !== 'none' && (
        <Suspense fallback={null}>
          <ImageUpload
            label={t('video.image')}
            value={image}
            required={imageUse === 'needed'}
            description={imageUse === 'optional' ? t('video.image.optional') : undefined}
            error={imageProblem}
            onChange={(address) => onChange({ image: address })}
            onBusy={onBusy}
          />
        </Suspense>
      )}
      {followsImage ? (
        <p className={classes.hint}>{t('video.size.follows')}</p>
      ) : (
        (model !== undefined || choices.isLoading) && (
          <fieldset className={classes.sizes}>
            <legend>{t('video.size')}</legend>
            {sizesOf(model?.model ?? '').map((choice) => (
              <label key={choice.size} className={classes.size}>
                <input
                  type="radio"
                  name="video-size"
                  value={choice.size}
                  checked={choice.size === size}
                  onChange={() => onChange({ size: choice.size })}
                />
                <i data-ratio={choice.ratio} aria-hidden="true" />
                <span>{choice.ratio}</span>
                <span className={classes.pixels}>{choice.size.replace('*', '×')}</span>
              </label>
            ))}
          </fieldset>
        )
      )}
      {lengths.length > 1 && (
        <NativeSelect
          label={t('video.seconds')}
          data={lengths.map((value) => ({
            value: String(value),
            label: t('video.seconds.value', { seconds: value }),
          }))}
          value={String(seconds ?? '')}
          onChange={(event) => onChange({ seconds: Number(event.currentTarget.value) })}
        />
      )}
      <Figures />
    </>
  );
}

/** What a video costs, before it is ordered. */
export function useVideoCost({ model, group }: Choices, size: string, seconds?: number): string {
  const { t } = useTranslation();
  const money = useMoney();
  if (model === undefined || group === undefined || model.unpriced || model.quota_type !== 1)
    return t('video.estimate.unknown');
  const ratio = group.ratio * secondsCharged(model, size, seconds);
  const cost = roughCost(model, ratio, { prompt: 0, output: 0, quotaPerUnit: money.quotaPerUnit });
  return t('video.estimate', { cost: money.total(cost).text });
}
