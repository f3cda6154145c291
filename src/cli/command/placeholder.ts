import type { Flag } from '../base/flags.ts';

/** What stands for a flag's value in help and docs unless the flag says so itself. */
export function defaultPlaceholder(flag: Flag): string {
  if (flag.choices !== undefined) return flag.choices.join('|');
  return flag.kind === 'text' ? 'TEXT' : 'N';
}
