/**
 * Keys of which a site knows no more than a digest, because they came from a program that stores
 * nothing else (docs/rules/import.md#litellm-keys).
 */
export const digestMark = 'sha256:';
