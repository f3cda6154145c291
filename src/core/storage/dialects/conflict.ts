import { AppError } from '../../kernel/errors.ts';

/** Columns whose field has another name than the column in camel case. */
const fieldNames: Readonly<Record<string, string>> = { username_normalized: 'username', key_hash: 'key' };

/** The error for a broken unique index, with the name of the field in our row types: `github_id` is `githubId`. */
export function conflictOn(column: string, cause: unknown): AppError {
  const field = fieldNames[column] ?? column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return new AppError('conflict', { field }, { cause });
}
