import type { UserBulkChange } from '../contract/bulk.ts';
import {
  type BulkKind,
  type BulkRequest,
  type BulkResult,
  type BulkStep,
  runBulk,
  writeEach,
} from '../entities/bulk.ts';
import { checkAmount } from '../entities/limits.ts';
import { requireAllowed } from '../entities/require-allowed.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage, User, UserFilter } from '../storage/storage.ts';
import { userStatuses } from '../vocabulary/statuses.ts';
import type { Caller } from './gate/caller.ts';
import type { SignOut } from './sign-out.ts';
import type { UserAdministration } from './user-administration.ts';

export interface UserBulkDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly administration: Pick<UserAdministration, 'update' | 'manage' | 'grant'>;
  readonly signOut: Pick<SignOut, 'endAllOf'>;
  readonly logger: Logger;
}

/**
 * Changes of many users, each by the call that changes one
 * (docs/rules/console-api.md#bulk-changes).
 */
export interface UserBulk {
  /** Throws what {@link runBulk} throws, and invalid_parameter for several changes at once. */
  run(caller: Caller, request: BulkRequest<UserFilter, UserBulkChange>): Promise<BulkResult<User>>;
}

export function createUserBulk(deps: UserBulkDeps): UserBulk {
  const { storage, administration } = deps;
  const requireGroup = (group: string) => {
    if (!Object.hasOwn(deps.options.get('GroupRatio'), group))
      throw new AppError('group_unknown', { group });
  };
  const valuesOf = ({ group, status }: User) => ({ group, status });

  const kindFor = (caller: Caller): BulkKind<User, UserFilter, UserBulkChange> => {
    const { actor } = caller;
    const planGroup = (target: User, group: string) => {
      requireAllowed('update', { actor, target });
      requireGroup(group);
      return { from: valuesOf(target), to: { group } };
    };
    const planStatus = (target: User, status: number) => {
      if (status !== userStatuses.active && status !== userStatuses.banned)
        throw new AppError('invalid_parameter', { field: 'status' });
      if (status !== target.status)
        requireAllowed(status === userStatuses.active ? 'manage-enable' : 'manage-disable', {
          actor,
          target,
        });
      return { from: valuesOf(target), to: { status } };
    };
    const write = async ({ id, to }: BulkStep, remark: string): Promise<void> => {
      const { group, status, grant, sign_out: signOut } = to;
      if (group !== undefined) await administration.update(caller, id, { group: String(group) });
      if (status !== undefined)
        await administration.manage(
          actor,
          id,
          status === userStatuses.active ? 'enable' : 'disable',
        );
      if (grant !== undefined) await administration.grant(actor, id, Number(grant), remark);
      if (signOut !== undefined) await deps.signOut.endAllOf(actor, id);
    };
    return {
      find: (ids) => storage.users.findMany(ids),
      matching: async (match, limit) =>
        (await storage.users.page(match, { offset: 0, limit })).items,
      nameOf: ({ id, username }) => `${username} #${id}`,
      undoable: ['group', 'status'],
      valuesOf,
      plan: (
        target,
        { group, status, grant, sign_out: signOut },
      ): Pick<BulkStep, 'from' | 'to'> => {
        if (target.deletedAt !== null) throw new AppError('user_deactivated');
        if (group !== undefined) return planGroup(target, group);
        if (status !== undefined) return planStatus(target, status);
        if (grant !== undefined) {
          requireAllowed('grant', { actor, target });
          return { from: {}, to: { grant: checkAmount(grant) } };
        }
        if (signOut && target.id !== actor.id) requireAllowed('update', { actor, target });
        return { from: {}, to: { sign_out: 1 } };
      },
      restore: (target, to) => ({
        ...(to['group'] !== undefined && planGroup(target, String(to['group'])).to),
        ...(to['status'] !== undefined && planStatus(target, Number(to['status'])).to),
      }),
      write: (steps, change) =>
        writeEach(
          steps,
          (step) => write(step, change?.remark ?? ''),
          (error) => deps.logger.error({ error }, 'a user could not be changed'),
        ),
    };
  };

  return {
    run: (caller, request) => {
      // One at a time: a user is changed, or is not.
      const { remark: _, ...change } = request.change ?? {};
      if (Object.values(change).filter((value) => value !== undefined).length > 1)
        throw new AppError('invalid_parameter', { field: 'change' });
      return runBulk(kindFor(caller), {
        ...request,
        change: request.change && Object.keys(change).length > 0 ? request.change : undefined,
      });
    },
  };
}
