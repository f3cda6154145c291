/**
 * What the signed-in administrator may do to a user: the server's own rules
 * (docs/rules/accounts.md#who-may-do-what).
 */
import type { SignedInUser, UserEntity } from '../../../core/contract/entities.ts';
import { findRefusal, type UserAct } from '../../../core/entities/user-policy.ts';
import { userStatuses } from '../../../core/vocabulary/statuses.ts';
import { effectiveUserStatus } from '../../../core/vocabulary/user-state.ts';

export type Act = Exclude<
  UserAct,
  'create' | 'grant' | 'credit-order' | 'remove-self' | 'own-tokens'
>;

export const isDeactivated = (user: UserEntity) =>
  effectiveUserStatus(user) === userStatuses.deleted;

/** Nothing is done to a deactivated user; such users are only read. */
export function isAllowed(
  act: Act,
  actor: Pick<SignedInUser, 'id' | 'role'> | null,
  user: UserEntity,
): boolean {
  if (actor === null || (act !== 'read' && isDeactivated(user))) return false;
  const deletedAt = user.DeletedAt === null ? null : Date.parse(user.DeletedAt) / 1000;
  return findRefusal(act, { actor, target: { ...user, deletedAt } }) === null;
}
