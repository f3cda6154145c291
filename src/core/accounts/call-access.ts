import type { Access } from '../contract/endpoint.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import { isRoot, roles } from '../vocabulary/roles.ts';

export interface CallFacts {
  readonly access: Access;
  /** Whether the call changes something. */
  readonly changes: boolean;
  /** Null: a visitor. */
  readonly actor: Actor | null;
  /** The option DemoSiteEnabled. */
  readonly isDemoSite: boolean;
}

const leastRole: Readonly<Record<Access, number>> = { visitor: 0, user: roles.user, admin: roles.admin, root: roles.root };

/** Whether a caller may make a call at all. Throws AppError not_signed_in, forbidden, not_set_up, demo_site. */
export function requireCallAllowed({ access, changes, actor, isDemoSite }: CallFacts): void {
  if (access === 'visitor') return;
  if (actor === null) throw new AppError('not_signed_in');
  if (actor.role < leastRole[access]) throw new AppError('forbidden');
  if (!changes) return;
  // Before the setup the operator has all rights but no account: nothing of one's own can be changed.
  if (access === 'user' && actor.id === 0) throw new AppError('not_set_up');
  // A demo site shows everything; only the owner, who must be able to end the demo, changes anything.
  if (isDemoSite && !isRoot(actor.role)) throw new AppError('demo_site');
}
