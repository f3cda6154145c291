import { AppError } from '../../kernel/errors.ts';

/** Field names that are not the column name in camel case. */
const fieldNames: Readonly<Record<string, string>> = {
  username_normalized: 'username',
  key_hash: 'key',
};

/**
 * The error for a violated unique index, with the name of the field in the row type: `github_id` is
 * `githubId`.
 */
export function conflictOn(column: string, cause: unknown): AppError {
  const field =
    fieldNames[column] ?? column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return new AppError('conflict', { field }, { cause });
}
