/** What a model for images can be given (docs/rules/relay.md#image-fields). */
import type { TextKey } from '../../../i18n/index.ts';

export interface ImageOptions {
  readonly sizes: readonly string[];
  /** Empty: the model has no such setting. */
  readonly qualities: readonly string[];
  readonly mostCount: number;
}

const square = '1024x1024';

/** The first match wins; names are lower case. The first size and quality are the defaults. */
const byModel: readonly (readonly [RegExp, ImageOptions])[] = [
  [
    /(^|\/)(chat)?gpt-image/,
    {
      sizes: ['auto', square, '1536x1024', '1024x1536'],
      qualities: ['auto', 'low', 'medium', 'high'],
      mostCount: 10,
    },
  ],
  [
    /(^|\/)dall-e-3/,
    { sizes: [square, '1792x1024', '1024x1792'], qualities: ['standard', 'hd'], mostCount: 1 },
  ],
  [/(^|\/)dall-e/, { sizes: [square, '512x512', '256x256'], qualities: [], mostCount: 10 }],
];
const others: ImageOptions = {
  sizes: [square, '1280x720', '720x1280', '1152x896', '896x1152', '768x768', '512x512'],
  qualities: [],
  mostCount: 4,
};

export function imageOptions(model: string): ImageOptions {
  const name = model.toLowerCase();
  return byModel.find(([pattern]) => pattern.test(name))?.[1] ?? others;
}

export const qualityNames: Readonly<Record<string, TextKey>> = {
  auto: 'playground.image.auto',
  standard: 'playground.image.quality.standard',
  hd: 'playground.image.quality.hd',
  low: 'playground.image.quality.low',
  medium: 'playground.image.quality.medium',
  high: 'playground.image.quality.high',
};
