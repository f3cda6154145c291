/** Checks of image calls, and the meaning of absent fields (docs/rules/relay.md#image-fields). */
import { AppError } from '../../../kernel/errors.ts';
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

/** Number of images requested. Throws AppError('invalid_image_request') on anything but 1 to 128. */
export function imageCount(body: RequestBody): number {
  const given = body.get('n');
  if (given === undefined || given === null || given === '') return 1;
  const count = body.isForm ? Number(given) : given;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= mostImages)
    return count;
  return fail(`n must be a whole number from 1 to ${mostImages}`);
}

/** Throws AppError('invalid_image_request', {detail}). */
export function checkImageFields(body: RequestBody, model: string): void {
  const prompt = textField(body, 'prompt');
  if (prompt === undefined || prompt.trim() === '') fail('prompt is required');
  imageCount(body);
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
