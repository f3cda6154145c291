/** What a model for images can be given: what the catalogue of models says, else what most take. */
import type { CatalogModel } from '../../../../core/contract/model-square.ts';
import type { TextKey } from '../../../i18n/index.ts';

type ImageOptions = NonNullable<CatalogModel['images']>;

const others: ImageOptions = {
  sizes: ['1024x1024', '1280x720', '720x1280', '1152x896', '896x1152', '768x768', '512x512'],
  qualities: [],
  most: 4,
};

export const imageOptions = (model: Pick<CatalogModel, 'images'> | undefined): ImageOptions =>
  model?.images ?? others;

export const qualityNames: Readonly<Record<string, TextKey>> = {
  auto: 'playground.image.auto',
  standard: 'playground.image.quality.standard',
  hd: 'playground.image.quality.hd',
  low: 'playground.image.quality.low',
  medium: 'playground.image.quality.medium',
  high: 'playground.image.quality.high',
};
