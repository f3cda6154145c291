/** Tags of requests: whose money went where (docs/rules/tags.md). */

/** Of one request. */
export const mostTags = 10;
/** Characters of a tag. */
export const longestTag = 64;

/** How many different tags of one user are summed in an hour, and of all users. */
export const mostSummedTags = { perUser: 100, inAll: 20_000 } as const;

/** The tag under which the sums count those beyond {@link mostSummedTags}: no request has it. */
export const otherTags = '';

/** Letters and digits of all scripts, spaces between them, and some signs; no commas. */
const signs = String.raw`[\p{L}\p{M}\p{N}_.:/@+=#-]`;
export const tagPattern = new RegExp(
  `^(?=.{1,${longestTag}}$)[\\p{L}\\p{N}]${signs}*( +${signs}+)*$`,
  'u',
);

export const isTag = (text: string): boolean => text.length <= longestTag && tagPattern.test(text);

/** As they are stored in a row, and what is read back. */
export const joinTags = (tags: readonly string[]): string => tags.join(',');
export const splitTags = (text: string): readonly string[] => (text === '' ? [] : text.split(','));
