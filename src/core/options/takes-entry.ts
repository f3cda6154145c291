import { parseOption } from './codec.ts';
import type { OptionKey } from './registry.ts';

/** Whether an option that is a table takes this entry. */
export function takesEntry(key: OptionKey, name: string, value: unknown): boolean {
  try {
    parseOption(key, JSON.stringify({ [name]: value }));
    return true;
  } catch {
    return false;
  }
}
