/** Checks of image calls, and the meaning of absent fields (docs/rules/relay.md#image-fields). */
import { AppError } from '../../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue, parseJson } from '../../../kernel/json.ts';
import { bareModelName, factsOf } from '../../../models/known-models.ts';
import type { RequestBody } from '../../body/request-body.ts';

/**
 * Most images of one call. Providers allow fewer, each its own number; this bounds the price of a
 * call.
 */
const mostImages = 128;

function fail(detail: string): never {
  throw new AppError('invalid_image_request', { detail });
}

/** A text field; null counts as absent. Throws AppError('invalid_image_request'). */
export function textField(body: RequestBody, name: string): string | undefined {
  const value = body.get(name) ?? undefined;
  return value === undefined || typeof value === 'string'
    ? value
    : fail(`${name} must be a string`);
}

function countIn(given: JsonValue | undefined, name: string, body: RequestBody): number {
  if (given === undefined || given === null || given === '') return 1;
  const count = body.isForm ? Number(given) : given;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= mostImages)
    return count;
  return fail(`${name} must be a whole number from 1 to ${mostImages}`);
}

/**
 * Number of images requested. Throws AppError('invalid_image_request') on anything but 1 to 128.
 */
export function imageCount(body: RequestBody): number {
  return countIn(body.get('n'), 'n', body);
}

/** Images of a series where the request does not say how many (Volcano Ark API reference). */
const usualSeries = 15;

/** A series of Volcano Ark: the model decides how many, up to this. */
function seriesIn(body: RequestBody): number {
  if (body.get('sequential_image_generation') !== 'auto') return 1;
  const given = body.get('sequential_image_generation_options');
  const options = typeof given === 'string' ? parseJson(given) : given;
  const most = isObject(options) ? (options as JsonObject)['max_images'] : undefined;
  return (most ?? undefined) === undefined ? usualSeries : countIn(most, 'max_images', body);
}

/**
 * The most images that the request orders, by `n` and by what vendors have in its place:
 * SiliconFlow
 * `batch_size`, Volcano Ark a series. Throws AppError as {@link imageCount}.
 */
export function mostOrdered(body: RequestBody): number {
  const batch = countIn(body.get('batch_size'), 'batch_size', body);
  return Math.max(imageCount(body), batch, seriesIn(body));
}

/** Throws AppError('invalid_image_request', {detail}). */
export function checkImageFields(body: RequestBody, model: string): void {
  const prompt = textField(body, 'prompt');
  if (prompt === undefined || prompt.trim() === '') fail('prompt is required');
  mostOrdered(body);
  textField(body, 'quality');
  const format = textField(body, 'response_format');
  if (format !== undefined && format !== '' && format !== 'url' && format !== 'b64_json')
    fail('response_format must be url or b64_json');
  const size = textField(body, 'size');
  if (size === undefined || size === '') return;
  if (size.includes('×')) fail('size is written with the letter x, as in 1024x1024');
  const { images } = factsOf(bareModelName(model));
  if (images !== undefined && images.anySize !== true && !images.sizes.includes(size))
    fail(`size of ${model} must be one of ${smallestFirst(images.sizes).join(', ')}`);
}

const smallestFirst = (sizes: readonly string[]) =>
  [...sizes].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
