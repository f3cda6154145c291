/**
 * A short text that changes with `text`, to notice that it is another one; '' for an empty text. It
 * protects nothing (FNV-1a, 32 bits).
 */
export function textMark(text: string): string {
  if (text === '') return '';
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return `${text.length.toString(36)}-${(hash >>> 0).toString(36)}`;
}
