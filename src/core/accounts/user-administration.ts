import type { Audit } from '../audit/audit-log.ts';
import { describeChanges } from '../audit/changes.ts';
import type { Commit, Notes } from '../audit/commit.ts';
import type { Ledger } from '../billing/ledger.ts';
import { checkAmount } from '../entities/limits.ts';
import { requireAllowed } from '../entities/require-allowed.ts';
import { userFields } from '../entities/user.ts';
import { findRefusal, type ManageAction } from '../entities/user-policy.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { maxAmount, type Quota, toQuota } from '../kernel/quota.ts';
import type { WriteLog } from '../logs/write-log.ts';
import type { OptionStore } from '../site/option-store.ts';
import type {
  Listing,
  PageRequest,
  Storage,
  User,
  UserFilter,
  UserOrder,
} from '../storage/storage.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import { roles } from '../vocabulary/roles.ts';
import { userStatuses } from '../vocabulary/statuses.ts';
import type { CreateAccount } from './create-account.ts';
import type { AccountGate } from './gate/account-gate.ts';
import type { Caller } from './gate/caller.ts';
import { deactivateUser, updateUser } from './own-account.ts';
import { hashPassword, passwordChange } from './password.ts';
import type { Sessions } from './sessions.ts';
import {
  checkNewUser,
  checkUserEdits,
  type NewUserFields,
  type UserFieldEdits,
} from './user-fields.ts';

export interface UserAdministrationDeps {
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly options: Pick<OptionStore, 'get'>;
  readonly createAccount: CreateAccount;
  readonly writeLog: WriteLog;
  readonly sessions: Sessions;
  readonly gate: AccountGate;
  readonly commit: Commit;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Deletes the files of a user whose account was deleted. Never rejects. */
  readonly deleteFiles: (userId: number) => Promise<void>;
}

/** More than any site has. */
const mostAdministrators = 10_000;

export interface UserEdit extends UserFieldEdits {
  /** The quota that the form had loaded. If present, the change is applied as a difference. */
  readonly quotaBase?: number;
}

/** A change of the quota; `from` and `to` as the log and the audit log name them. */
interface Adjustment {
  readonly amount: Quota;
  readonly from: number;
  readonly to: number;
}

/**
 * Administration of users (docs/rules/accounts.md#user-administration). Permissions:
 * entities/user-policy.ts.
 */
export interface UserAdministration {
  page(filter: UserFilter, page: PageRequest, order?: UserOrder): Promise<Listing<User>>;
  get(actor: Actor, id: number): Promise<User>;
  /**
   * Users whose postings and tokens the actor may not read: those of the own level and above, but
   * oneself.
   */
  hiddenFrom(actor: Actor): Promise<readonly number[]>;
  create(actor: Actor, account: NewUserFields): Promise<number>;
  /** A new password passes the gate: throws what {@link AccountGate.enter} throws. */
  update(caller: Caller, id: number, edit: UserEdit): Promise<void>;
  manage(
    actor: Actor,
    id: number,
    action: ManageAction,
  ): Promise<Pick<User, 'id' | 'role' | 'status'>>;
  /** Adds quota, with a remark for the log (POST /api/topup of One API). */
  grant(actor: Actor, id: number, quota: number, remark: string): Promise<void>;
  /** Deletes the row, tokens and sessions permanently; logs and ledger stay. */
  remove(actor: Actor, id: number): Promise<void>;
}

export function createUserAdministration(deps: UserAdministrationDeps): UserAdministration {
  const { storage, options, commit, audit } = deps;

  const find = async (id: number, { users }: Pick<Storage, 'users'> = storage): Promise<User> => {
    const user = await users.find(id);
    if (user === null) throw new AppError('not_found');
    return user;
  };

  const requireGroup = (group: string): string => {
    if (!Object.hasOwn(options.get('GroupRatio'), group))
      throw new AppError('group_unknown', { group });
    return group;
  };

  /** Undefined: the quota stays. */
  const findAdjustment = async (
    { id }: User,
    { quota, quotaBase }: UserEdit,
  ): Promise<Adjustment | undefined> => {
    if (quota === undefined) return undefined;
    const current = (await deps.ledger.balance(id)).quota;
    const base = quotaBase ?? current;
    if (quota === base) return undefined;
    const difference = checkAmount(quota) - base;
    // Whatever the form had loaded: what the balance becomes is limited, too.
    const to = checkAmount(current + difference);
    if (!Number.isSafeInteger(difference)) throw new AppError('amount_limit', { max: maxAmount });
    return { amount: toQuota(difference), from: current, to };
  };

  const adjustQuota = async (
    actor: Actor,
    user: User,
    { amount, from, to }: Adjustment,
  ): Promise<void> => {
    await deps.ledger.post({
      userId: user.id,
      kind: 'adjustment',
      amount,
      reference: null,
      log: deps.writeLog.prepare(
        { userId: user.id, username: user.username },
        logTypes.manage,
        'log.quota_changed',
        { from, to },
        { actor_id: actor.id, actor: actor.username },
      ),
    });
    await audit.record(actor, 'user.quota', user.id, { username: user.username, from, to });
  };

  const manageSteps: Record<
    ManageAction,
    (user: User, inside: Storage, notes: Notes) => Promise<boolean>
  > = {
    promote: (user, { users }) => users.setRole(user.id, user.role, roles.admin),
    demote: (user, { users }) => users.setRole(user.id, user.role, roles.user),
    enable: (user, { users }) => users.setStatus(user.id, user.status, userStatuses.active),
    disable: async (user, { users, sessions }) => {
      const changed = await users.setStatus(user.id, user.status, userStatuses.banned);
      await sessions.deleteByUser(user.id);
      return changed;
    },
    delete: async (user, inside, notes) => {
      await deactivateUser(inside, user.id, nowSeconds(deps.clock));
      notes.after('the deletion of files', () => deps.deleteFiles(user.id));
      return true;
    },
  };

  return {
    page: (filter, page, order) => storage.users.page(filter, page, order),
    get: async (actor, id) => {
      const target = await find(id);
      requireAllowed('read', { actor, target });
      return target;
    },
    hiddenFrom: async (actor) => {
      const pages = await Promise.all(
        [roles.admin, roles.root].map((role) =>
          storage.users.page({ role }, { offset: 0, limit: mostAdministrators }),
        ),
      );
      return pages
        .flatMap(({ items }) => items)
        .filter(
          (target) => target.id !== actor.id && findRefusal('read', { actor, target }) !== null,
        )
        .map(({ id }) => id);
    },
    create: async (actor, account) => {
      const role = account.role ?? userFields.role.default;
      requireAllowed('create', { actor, role });
      if (role !== roles.user && role !== roles.admin)
        throw new AppError('invalid_parameter', { field: 'role' });
      const { password, displayName, group, ...fields } = checkNewUser(account);
      return deps.createAccount({
        ...fields,
        passwordHash: await hashPassword(password, deps.ids),
        role,
        displayName: displayName || fields.username,
        group: requireGroup(group || userFields.group.default),
        attach: (inside, id) =>
          inside.auditLogs.insert(
            audit.entryOf(actor, 'user.create', id, { username: fields.username, role }),
          ),
      });
    },
    update: async (caller, id, edit) => {
      const { actor } = caller;
      const target = await find(id);
      requireAllowed('update', { actor, target, role: edit.role });
      // Role and quota have steps of their own.
      const { password, role: _role, quota: _quota, ...named } = checkUserEdits(edit, target);
      if (named.group !== undefined) requireGroup(named.group);
      const adjustment = await findAdjustment(target, edit);
      const { changes: edited } = describeChanges<User>(target, named);
      const audited = (more = {}) => ({
        username: target.username,
        changes: { ...edited, ...more },
      });
      if (password !== undefined) {
        const passage = await deps.gate.enter(caller, 'password');
        const next = { ...named, ...(await passwordChange(password, deps.ids)) };
        const apply = (inside: Storage) => updateUser(inside, id, next);
        await deps.gate.change(passage, {
          userId: id,
          action: 'user.update',
          detail: audited({ password: {} }),
          apply,
        });
      } else if (Object.keys(named).length > 0) {
        await commit(async (inside, notes) => {
          await updateUser(inside, id, named);
          notes.record(actor, 'user.update', id, audited());
          notes.changed('user', id);
        });
      }
      if (adjustment !== undefined) await adjustQuota(actor, target, adjustment);
    },
    manage: async (actor, id, action) => {
      const target = await find(id);
      requireAllowed(`manage-${action}`, { actor, target });
      return commit(async (inside, notes) => {
        if (!(await manageSteps[action](target, inside, notes))) throw new AppError('conflict');
        notes.record(actor, `user.${action}`, id, { username: target.username });
        notes.changed('user', id);
        return find(id, inside);
      });
    },
    grant: async (actor, id, quota, remark) => {
      const target = await find(id);
      requireAllowed('grant', { actor, target });
      await deps.ledger.post({
        userId: id,
        kind: 'grant',
        amount: checkAmount(quota),
        reference: null,
        log: deps.writeLog.prepare(
          { userId: id, username: target.username },
          logTypes.topUp,
          'log.granted',
          { quota, remark },
          { actor_id: actor.id, actor: actor.username },
        ),
      });
      await audit.record(actor, 'user.grant', id, { username: target.username, quota, remark });
    },
    remove: async (actor, id) => {
      const target = await find(id);
      requireAllowed('remove', { actor, target });
      await commit(async (inside, notes) => {
        await inside.tokens.deleteByUser(id);
        await inside.sessions.deleteByUser(id);
        await inside.secondFactors.deleteByUser(id);
        await inside.userIdentities.deleteByUser(id);
        await inside.users.delete(id);
        notes.record(actor, 'user.remove', id, { username: target.username });
        notes.after('the deletion of files', () => deps.deleteFiles(id));
        notes.changed('user', id);
      });
    },
  };
}
