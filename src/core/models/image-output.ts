/**
 * Output tokens of an image by quality and shape. They are those of gpt-image-1's guide, which its
 * successors keep: https://developers.openai.com/api/docs/guides/image-generation, 2026-11-28.
 */
type ImageTokens = readonly [square: number, portrait: number, landscape: number];

const highest: ImageTokens = [4160, 6240, 6208];
/** A Map, because qualities come from callers and may be names such as `constructor`. */
const byQuality: ReadonlyMap<string | undefined, ImageTokens> = new Map([
  ['low', [272, 408, 400]],
  ['medium', [1056, 1584, 1568]],
  ['high', highest],
]);

/** `auto` and unknown qualities count as high, unknown sizes as portrait. */
export function imageOutputTokens(quality: string | undefined, size: string | undefined): number {
  const [square, portrait, landscape] = byQuality.get(quality) ?? highest;
  return size === '1024x1024' ? square : size === '1536x1024' ? landscape : portrait;
}
