/** What a field of tags makes of the text that is typed or pasted. */

/** Separate the tags. */
export const tagSeparators = [',', ' ', '\n', ';', '，'];
/** Of tags that may contain blanks. */
export const phraseSeparators = tagSeparators.filter((separator) => separator !== ' ');

/** Whether `tag` is among `tags`: names of models and groups that differ in case are two. */
export function isTaken(tag: string, tags: readonly string[]): boolean {
  return tags.includes(tag);
}
