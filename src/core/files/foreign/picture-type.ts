import { headBytes, mediaTypeOf } from '../results/media-type.ts';

/**
 * What a picture is, by its first bytes; an SVG has no such bytes and is one where it is declared
 * as one. Undefined: no picture.
 */
export function pictureTypeOf(bytes: Buffer, declared: string): string | undefined {
  const head = bytes.subarray(0, headBytes);
  const text = head.toString('latin1');
  if (text.startsWith('\0\0\x01\0')) return 'image/x-icon';
  if (/^ftypavi[fs]/.test(text.slice(4))) return 'image/avif';
  if (/^image\/svg\+xml\s*(;|$)/i.test(declared.trim()) && /^(\xef\xbb\xbf)?\s*</.test(text))
    return 'image/svg+xml';
  const { type } = mediaTypeOf(head) ?? {};
  return type?.startsWith('image/') ? type : undefined;
}
