import { AppError } from '../kernel/errors.ts';

const maxCharacters = 20;

/**
 * The user name as it is stored. Trimmed; 1–20 characters; no white space, control characters or `@`; not eleven digits,
 * which would be a phone number (docs/rules/accounts.md#user-names). Throws AppError username_invalid.
 */
export function readUsername(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length < 1 || length > maxCharacters || /[\s\p{C}@]/u.test(name) || /^\d{11}$/.test(name)) {
    throw new AppError('username_invalid', { max: maxCharacters });
  }
  return name;
}

/** Display and nick names: 0–20 characters. Throws AppError name_too_long. */
export function readShownName(text: string): string {
  const name = text.trim();
  if ([...name].length > maxCharacters) throw new AppError('name_too_long', { max: maxCharacters });
  return name;
}
