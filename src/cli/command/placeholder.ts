import type { Flag } from '../base/flags.ts';

/** Placeholder of a flag's value in help and docs, if the flag declares none. */
export function defaultPlaceholder(flag: Flag): string {
  if (flag.choices !== undefined) return flag.choices.join('|');
  return flag.kind === 'text' ? 'TEXT' : 'N';
}
