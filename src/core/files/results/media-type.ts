/**
 * What a result is, by its first bytes. Only these types are kept: browsers show them and run
 * nothing in them.
 */

interface MediaType {
  readonly type: string;
  readonly extension: string;
}

/** Bytes that {@link mediaTypeOf} needs. */
export const headBytes = 16;

const known: readonly (MediaType & {
  readonly matches: (head: Buffer, text: string) => boolean;
})[] = [
  {
    type: 'video/quicktime',
    extension: 'mov',
    matches: (_, text) => text.startsWith('ftypqt  ', 4),
  },
  { type: 'video/mp4', extension: 'mp4', matches: (_, text) => text.startsWith('ftyp', 4) },
  {
    type: 'video/webm',
    extension: 'webm',
    matches: (head) => head.length >= 4 && head.readUInt32BE(0) === 0x1a45dfa3,
  },
  { type: 'image/png', extension: 'png', matches: (_, text) => text.startsWith('\x89PNG') },
  { type: 'image/jpeg', extension: 'jpg', matches: (_, text) => text.startsWith('\xff\xd8\xff') },
  {
    type: 'image/webp',
    extension: 'webp',
    matches: (_, text) => text.startsWith('RIFF') && text.startsWith('WEBP', 8),
  },
  { type: 'image/gif', extension: 'gif', matches: (_, text) => text.startsWith('GIF8') },
];

export function mediaTypeOf(head: Buffer): MediaType | undefined {
  const text = head.toString('latin1');
  return known.find(({ matches }) => matches(head, text));
}

/** Whether a declared type may be that of a result. Stores often name no better one than bytes. */
export function isMediaType(declared: string): boolean {
  const type = declared.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === '' || type === 'application/octet-stream' || type === 'binary/octet-stream')
    return true;
  return /^(video|image)\/[\w.+-]+$/.test(type) && type !== 'image/svg+xml';
}
