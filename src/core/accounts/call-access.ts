import type { Access } from '../contract/endpoint.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import { isRoot, roles } from '../vocabulary/roles.ts';

export interface CallFacts {
  readonly access: Access;
  /** Whether the call changes data. */
  readonly changes: boolean;
  /** Null: a visitor. */
  readonly actor: Actor | null;
  /** The option DemoSiteEnabled. */
  readonly isDemoSite: boolean;
}

const leastRole: Readonly<Record<Access, number>> = {
  visitor: 0,
  user: roles.user,
  admin: roles.admin,
  root: roles.root,
};

/**
 * Checks that the caller's role may make this call. Throws AppError not_signed_in, forbidden,
 * not_set_up, demo_site.
 */
export function requireCallAllowed({ access, changes, actor, isDemoSite }: CallFacts): void {
  if (access === 'visitor') return;
  if (actor === null) throw new AppError('not_signed_in');
  if (actor.role < leastRole[access]) throw new AppError('forbidden');
  if (!changes) return;
  // Before the setup the operator has all rights but no account, so there are no own settings to
  // change.
  if (access === 'user' && actor.id === 0) throw new AppError('not_set_up');
  // Only the owner may change a demo site, in order to end the demo.
  if (isDemoSite && !isRoot(actor.role)) throw new AppError('demo_site');
}
