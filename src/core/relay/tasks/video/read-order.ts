/**
 * From a caller's body to a request for a video that its model accepts
 * (docs/rules/video.md#video-request).
 */
import type { VideoOrder } from '../../../canonical/video.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { VideoMeasure } from '../../../pricing/second-prices.ts';
import {
  longestVideoPrompt,
  resolutionOfSize,
  usualVideoSeconds,
  type VideoKind,
  type VideoModel,
  type VideoResolution,
  videoKindOf,
  videoModelOf,
  videoResolutions,
  videoSizes,
  videoSizeWords,
} from '../../../vocabulary/video-models.ts';
import {
  addressField,
  booleanField,
  flattenOrder,
  imageField,
  integerField,
  invalid,
  textField,
} from './order-fields.ts';

const longestNegativePrompt = 500;
const largestSeed = 2_147_483_647;
const longestVideo = 600;

const characters = (text: string): number => [...text].length;

function readResolution(
  text: string | undefined,
  model: VideoModel | undefined,
): VideoResolution | undefined {
  if (text === undefined) return undefined;
  const name = text.toUpperCase().replace(/^(\d+)$/, '$1P');
  const allowed = model?.resolutions ?? videoResolutions;
  const resolution = allowed.find((known) => known === name);
  if (resolution === undefined) throw invalid(`resolution must be one of ${allowed.join(', ')}`);
  return resolution;
}

/**
 * `W*H` of a size or a word for a ratio, which is meant at 720P unless the request or its model say
 * otherwise.
 */
function readSize(
  text: string | undefined,
  model: VideoModel | undefined,
  resolution: VideoResolution | undefined,
): string | undefined {
  if (text === undefined || text === 'auto') return undefined;
  const word = videoSizeWords.indexOf(text);
  if (word !== -1) {
    const usual =
      model === undefined || model.resolutions.includes('720P') ? '720P' : model.defaultResolution;
    const size = videoSizes[resolution ?? usual][word];
    if (size === undefined)
      throw invalid(`size ${text} is not available in ${resolution ?? usual}`);
    return size;
  }
  const [, width, height] = /^(\d{2,5})\s*[x*×]\s*(\d{2,5})$/i.exec(text) ?? [];
  if (width === undefined) throw invalid('size must be written as 1280*720 or 16:9');
  return `${width}*${height}`;
}

function checkSize(
  size: string,
  model: VideoModel | undefined,
  resolution: VideoResolution | undefined,
): void {
  if (resolution !== undefined && resolutionOfSize(size) !== resolution)
    throw invalid(`size ${size} is not ${resolution}`);
  if (model === undefined) return;
  const sizes = model.resolutions.flatMap((known) => videoSizes[known]);
  if (!sizes.includes(size)) throw invalid(`size must be one of ${sizes.join(', ')}`);
}

/**
 * Size and resolution; those of the model where the request names none, so that what is priced is
 * what is made.
 */
function readFormat(
  kind: VideoKind,
  given: { readonly size: string | undefined; readonly resolution: string | undefined },
  model: VideoModel | undefined,
): Pick<VideoOrder, 'size' | 'resolution'> {
  const resolution = readResolution(given.resolution, model);
  const size = readSize(given.size, model, resolution);
  if (size !== undefined) checkSize(size, model, resolution);
  const chosen =
    resolution ?? (size === undefined ? model?.defaultResolution : resolutionOfSize(size));
  if (chosen === undefined) return {};
  // The proportions of an image decide those of its video.
  return kind === 't2v'
    ? { size: size ?? videoSizes[chosen][0], resolution: chosen }
    : { resolution: chosen };
}

function readSeconds(given: number | undefined, model: VideoModel | undefined): number | undefined {
  if (given === undefined)
    return model !== undefined && model.seconds.length > 1 ? model.defaultSeconds : undefined;
  if (given === 0) throw invalid('duration must be at least 1');
  if (model !== undefined && !model.seconds.includes(given))
    throw invalid(
      `duration must be ${model.seconds.length === 1 ? '' : 'one of '}${model.seconds.join(', ')}`,
    );
  return given;
}

function checkPrompt(prompt: string, kind: VideoKind, model: string): void {
  if (prompt === '' && kind === 't2v') throw invalid('prompt is required');
  const most = longestVideoPrompt(model);
  if (characters(prompt) > most) throw invalid(`prompt may have at most ${most} characters`);
}

function checkImages(
  kind: VideoKind,
  images: Pick<VideoOrder, 'image' | 'firstFrame' | 'lastFrame'>,
  model: string,
): void {
  const { image, firstFrame, lastFrame } = images;
  if (kind === 't2v' && (image ?? firstFrame ?? lastFrame) !== undefined)
    throw invalid(`${model} makes videos from text: it takes no image`);
  if (kind === 'i2v' && (image ?? firstFrame) === undefined) throw invalid('img_url is required');
  if (kind === 'kf2v' && firstFrame === undefined) throw invalid('first_frame_url is required');
}

/**
 * The request in `body`, checked against what is known of `model`. Throws
 * AppError('invalid_request') for what would be refused, or silently changed, by the upstream.
 */
export function readVideoOrder(body: JsonObject, model: string): VideoOrder {
  const fields = flattenOrder(body);
  const facts = videoModelOf(model);
  const image = imageField(fields);
  const frame = addressField(fields, 'first_frame_url');
  const kind = videoKindOf(model) ?? ((image ?? frame) === undefined ? 't2v' : 'i2v');
  // Either name of the first image will do.
  const images =
    kind === 'kf2v'
      ? { firstFrame: frame ?? image, lastFrame: addressField(fields, 'last_frame_url') }
      : { image: image ?? frame, lastFrame: addressField(fields, 'last_frame_url') };
  const prompt = textField(fields, 'prompt') ?? '';
  const negativePrompt = textField(fields, 'negative_prompt');
  checkImages(kind, images, model);
  checkPrompt(prompt, kind, model);
  if (negativePrompt !== undefined && characters(negativePrompt) > longestNegativePrompt)
    throw invalid(`negative_prompt may have at most ${longestNegativePrompt} characters`);
  const duration = integerField(
    fields,
    fields.duration === undefined ? 'seconds' : 'duration',
    longestVideo,
  );
  const size = textField(fields, 'size');
  return {
    kind,
    prompt,
    negativePrompt,
    ...images,
    audioUrl: addressField(fields, 'audio_url'),
    audio: booleanField(fields, 'audio'),
    template: textField(fields, 'template'),
    shotType: textField(fields, 'shot_type'),
    ...readFormat(kind, { size, resolution: textField(fields, 'resolution') }, facts),
    seconds: readSeconds(duration, facts),
    seed: integerField(fields, 'seed', largestSeed),
    promptExtend: booleanField(fields, 'prompt_extend') ?? true,
    watermark: booleanField(fields, 'watermark') ?? false,
  };
}

/**
 * What a video is priced by: its length and resolution, those of the model where the request names
 * none, and whether it is ordered without sound.
 */
export function measureVideo(order: VideoOrder, model: string): VideoMeasure {
  const facts = videoModelOf(model);
  return {
    seconds: order.seconds ?? facts?.defaultSeconds ?? usualVideoSeconds,
    resolution: order.resolution ?? facts?.defaultResolution ?? '720P',
    ...(order.audio === false && { silent: true }),
  };
}
