import { userStatuses } from './statuses.ts';

/**
 * The status of a user as readers see it: soft deletion outranks the stored status
 * (docs/rules/accounts.md#user-statuses).
 */
export function effectiveUserStatus(user: {
  readonly status: number;
  readonly DeletedAt: string | null;
}): number {
  return user.DeletedAt === null ? user.status : userStatuses.deleted;
}
