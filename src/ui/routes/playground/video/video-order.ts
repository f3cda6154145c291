/**
 * What a video is ordered with, and what the chosen model makes of it
 * (docs/rules/task-logs.md#video-playground).
 */
import type { CatalogModel } from '../../../../core/contract/model-square.ts';
import type { Video } from '../../../../core/contract/video.ts';
import { otherResolutions } from '../../../../core/pricing/second-prices.ts';
import {
  longestVideoPrompt,
  resolutionOfSize,
  usualVideoSeconds,
  videoKindOf,
  videoModelOf,
  videoSizes,
  videoSizeWords,
} from '../../../../core/vocabulary/video-models.ts';

export interface VideoOrder {
  readonly model: string;
  readonly group: string;
  readonly prompt: string;
  /** '': it follows the image. */
  readonly size: string;
  /** '': none. */
  readonly image: string;
  /** Undefined: the model has one length. */
  readonly seconds: number | undefined;
}

/**
 * What the label of the console calls the models that are chosen unless the reader chooses another.
 */
const defaultModel = /^wanx?2\.1/i;

export const isDefaultModel = ({ model }: CatalogModel) => defaultModel.test(model);

/** Of the default models one that needs nothing but a text. */
export function preferredModel(models: readonly CatalogModel[]): CatalogModel | undefined {
  const all = models.filter(isDefaultModel);
  return all.find(({ model }) => videoKindOf(model) === 't2v') ?? all[0];
}

export type ImageUse = 'needed' | 'none' | 'optional';

const aboutImages = /图生|首帧|image.to.video|i2v/i;
const aboutTexts = /文生|text.to.video|t2v/i;

/** Whether the model starts from an image: by its name, else by its tags. */
export function imageUseOf({ model, tags, tags_en }: CatalogModel, linkedTag: string): ImageUse {
  const kind = videoKindOf(model);
  if (kind !== undefined) return kind === 't2v' ? 'none' : 'needed';
  const words = [...tags, ...tags_en, linkedTag].join(' ');
  if (aboutImages.test(words)) return aboutTexts.test(words) ? 'optional' : 'needed';
  return aboutTexts.test(words) ? 'none' : 'optional';
}

export interface SizeChoice {
  /** `16:9`. */
  readonly ratio: string;
  /** `1280*720`. */
  readonly size: string;
}

/**
 * In the order in which they are offered; models that do not make 720P have those of their own
 * resolution.
 */
const ratios = ['16:9', '9:16', '1:1', '4:5', '5:4'];

export function sizesOf(model: string): readonly SizeChoice[] {
  const known = videoModelOf(model);
  const resolution =
    known === undefined || known.resolutions.includes('720P') ? '720P' : known.defaultResolution;
  return ratios.flatMap((ratio) => {
    const size = videoSizes[resolution][videoSizeWords.indexOf(ratio)];
    return size === undefined ? [] : [{ ratio, size }];
  });
}

export const secondsOf = (model: string): readonly number[] => videoModelOf(model)?.seconds ?? [];
export const defaultSecondsOf = (model: string): number | undefined =>
  videoModelOf(model)?.defaultSeconds;
/**
 * What a price per second is multiplied by, as docs/rules/pricing.md#video-ratios has it; 1 where the
 * price is one per video. `size` '': it follows the image.
 */
export function secondsCharged(
  { model, video_ratios: ratios }: CatalogModel,
  size: string,
  seconds: number | undefined,
): number {
  if (ratios === undefined) return 1;
  const facts = videoModelOf(model);
  const resolution = size === '' ? (facts?.defaultResolution ?? '720P') : resolutionOfSize(size);
  return (
    (seconds ?? facts?.defaultSeconds ?? usualVideoSeconds) *
    (ratios[resolution] ?? ratios[otherResolutions] ?? 1)
  );
}

export const longestPrompt = longestVideoPrompt;

/** The body of the call. */
export function bodyOf({ model, group, prompt, size, image, seconds }: VideoOrder): object {
  return {
    model,
    group,
    prompt,
    ...(size !== '' && { size }),
    ...(image !== '' && { img_url: image }),
    ...(seconds !== undefined && { duration: seconds }),
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The order of a video that was made. */
export function orderOf({ input }: Video): VideoOrder {
  const { duration } = input;
  const model = textOf(input['model']);
  return {
    model,
    group: textOf(input['group']),
    prompt: textOf(input['prompt']),
    size: textOf(input['size']),
    image: textOf(input['img_url']),
    seconds:
      typeof duration === 'number' && secondsOf(model).includes(duration) ? duration : undefined,
  };
}
