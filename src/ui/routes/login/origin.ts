import { isObject } from '../../../core/kernel/json.ts';
import { homePath } from '../../browser/paths.ts';

/** Where the guard found the visitor, else the first page; only paths of this site (docs/rules/console.md#login-guard). */
export function originOf(state: unknown): string {
  const from = isObject(state) ? state['from'] : undefined;
  return typeof from === 'string' && /^\/(?!\/)/.test(from) ? from : homePath;
}
