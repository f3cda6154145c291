/**
 * Which users may act on which others: the matrix of docs/rules/accounts.md#who-may-do-what as one
 * table.
 */
import type { ErrorCode } from '../kernel/errors.ts';
import { roles } from '../vocabulary/roles.ts';
import { userStatuses } from '../vocabulary/statuses.ts';

const manageActions = ['promote', 'demote', 'disable', 'enable', 'delete'] as const;
export type ManageAction = (typeof manageActions)[number];
export type UserAct =
  | 'read'
  | 'update'
  | 'create'
  | 'grant'
  | 'credit-order'
  | 'remove'
  | 'remove-self'
  | 'own-tokens'
  | `manage-${ManageAction}`;

export interface PolicyCase {
  readonly actor: { readonly id: number; readonly role: number };
  /** Absent if there is none yet (create) or it is the actor (remove-self). */
  readonly target?: {
    readonly id: number;
    readonly role: number;
    readonly status: number;
    readonly deletedAt: number | null;
  };
  /** The role in the body of a create or update. */
  readonly role?: number;
}

interface Rule {
  readonly acts: readonly UserAct[];
  readonly allows: (a: number, t: number, facts: PolicyCase) => boolean;
  readonly error: ErrorCode;
}

const manage: readonly UserAct[] = manageActions.map((action) => `manage-${action}` as const);
const above = (a: number, t: number) => a > t || a >= roles.root;

/**
 * Checked from top to bottom; the first rule that does not allow the action gives the error. a, t:
 * roles of actor and target.
 */
const rules: readonly Rule[] = [
  {
    acts: manage,
    allows: (_a, _t, facts) => facts.target?.id !== facts.actor.id,
    error: 'not_on_yourself',
  },
  { acts: ['read'], allows: above, error: 'user_read_forbidden' },
  {
    acts: ['grant', 'credit-order'],
    allows: (a, _t, facts) => a >= roles.root || facts.target?.id !== facts.actor.id,
    error: 'own_quota_forbidden',
  },
  {
    acts: ['update', 'grant', 'credit-order', ...manage],
    allows: above,
    error: 'user_update_forbidden',
  },
  {
    acts: ['own-tokens'],
    allows: (a, t, facts) => above(a, t) || facts.target?.id === facts.actor.id,
    error: 'user_update_forbidden',
  },
  {
    acts: ['update'],
    allows: (a, _t, { role }) => role === undefined || role < a || a >= roles.root,
    error: 'user_role_forbidden',
  },
  {
    acts: ['create'],
    allows: (a, _t, { role = roles.user }) => role < a,
    error: 'user_create_forbidden',
  },
  { acts: ['remove'], allows: (a, t) => a > t, error: 'user_delete_forbidden' },
  { acts: ['manage-disable'], allows: (_a, t) => t < roles.root, error: 'root_cannot_be_disabled' },
  {
    acts: ['manage-enable'],
    allows: (_a, _t, { target }) =>
      target?.status !== userStatuses.deleted && target?.deletedAt === null,
    error: 'deactivated_cannot_be_enabled',
  },
  { acts: ['manage-delete'], allows: (_a, t) => t < roles.root, error: 'root_cannot_be_deleted' },
  {
    // What was paid is credited to a deactivated user, too.
    acts: ['manage-delete', 'grant'],
    allows: (_a, _t, { target }) => target?.deletedAt === null,
    error: 'already_deactivated',
  },
  { acts: ['manage-promote'], allows: (a) => a >= roles.root, error: 'only_root_promotes' },
  { acts: ['manage-promote'], allows: (_a, t) => t < roles.admin, error: 'already_admin' },
  { acts: ['manage-demote'], allows: (_a, t) => t < roles.root, error: 'root_cannot_be_demoted' },
  { acts: ['manage-demote'], allows: (_a, t) => t !== roles.user, error: 'already_user' },
  { acts: ['remove-self'], allows: (a) => a < roles.root, error: 'root_cannot_be_deleted' },
];

/** The error of a forbidden action, or null if it is allowed. */
export function findRefusal(act: UserAct, facts: PolicyCase): ErrorCode | null {
  const { actor, target } = facts;
  const rule = rules.find(
    (candidate) =>
      candidate.acts.includes(act) && !candidate.allows(actor.role, target?.role ?? 0, facts),
  );
  return rule?.error ?? null;
}
