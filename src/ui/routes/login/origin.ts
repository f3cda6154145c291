import { isObject } from '../../../core/kernel/json.ts';

/** Where a login leads that began on the login page. */
const firstPage = '/personal';

/**
 * Where the guard found the visitor; only paths of this site (docs/rules/console.md#login-guard).
 */
function findOrigin(state: unknown): string | undefined {
  const from = isObject(state) ? state['from'] : undefined;
  return typeof from === 'string' && /^\/(?!\/)/.test(from) ? from : undefined;
}

/** Where a login leads: the page of origin, else the personal page. */
export function originOf(state: unknown): string {
  return findOrigin(state) ?? firstPage;
}

/** Where somebody goes who is logged in already: the page of origin, else the start. */
export function storedOriginOf(state: unknown): string {
  return findOrigin(state) ?? '/';
}
