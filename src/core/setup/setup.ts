import { hashPassword } from '../accounts/password.ts';
import { checkNewUser } from '../accounts/user-fields.ts';
import type { Commit } from '../audit/commit.ts';
import type { DeferredPostings, Ledger } from '../billing/index.ts';
import { userFields } from '../entities/user.ts';
import type { Language } from '../i18n/translate.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { toQuota } from '../kernel/quota.ts';
import type { Secret } from '../kernel/secret.ts';
import { type OptionKey, parseOption, writeOption } from '../options/index.ts';
import type { Storage, User } from '../storage/storage.ts';
import { roles } from '../vocabulary/roles.ts';
import { userStatuses } from '../vocabulary/statuses.ts';
import { createSetupCode, type SetupCode } from './setup-code.ts';

export interface SetupRequest {
  readonly username: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly selfUse: boolean;
  readonly demo: boolean;
  readonly systemName?: string;
  readonly siteLanguage: Language;
  /** Null: the caller is the operator on this machine and needs no code. */
  readonly code: string | null;
}

/** The first start (docs/rules/accounts.md#setup). */
export interface Setup {
  isSetUp(): boolean;
  /** Looks again whether the site is set up: another process may have done it. */
  refresh(): Promise<void>;
  hasRoot(): Promise<boolean>;
  /** The code to show, while it is needed. */
  shownCode(): string | undefined;
  /** Throws AppError already_set_up, rate_limited. */
  checkCode(given: string): boolean;
  /**
   * Returns the root user's id. Throws AppError already_set_up, setup_token_wrong,
   * passwords_differ, username_invalid, password_invalid.
   */
  setUp(request: SetupRequest, from: Pick<Actor, 'ip'>): Promise<number>;
  /** The root user that was created first, or null. */
  findRoot(): Promise<User | null>;
}

export interface SetupDeps {
  readonly storage: Storage;
  readonly ledger: Pick<Ledger, 'post'>;
  readonly deferred: Pick<DeferredPostings, 'note' | 'post'>;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly version: string;
  /** SETUP_TOKEN; '' when unset. */
  readonly ownCode: string;
  /** Further credentials of the first root user, from the environment. */
  readonly onRootMade?: (userId: number) => Promise<void>;
}

const openingQuota = 100_000_000;
const setupAction = 'site.setup';

/**
 * Checks whether the site is set up. An imported database with a root user counts as set up
 * (docs/rules/accounts.md#setup).
 */
export async function createSetup(deps: SetupDeps): Promise<Setup> {
  const { storage, clock } = deps;
  const setupRow = () => ({ version: deps.version, initializedAt: nowSeconds(clock) });

  const findRoot = (): Promise<User | null> => storage.users.findOldest(roles.root);

  const openingOf = (userId: number) =>
    ({
      userId,
      kind: 'opening',
      amount: toQuota(openingQuota),
      reference: `user:${userId}`,
    }) as const;

  /**
   * Posts the first quota if a crash of an earlier release happened after the commit of the root
   * user.
   */
  const finishInterrupted = async (root: User): Promise<void> => {
    const setups = await storage.auditLogs.page(
      { action: setupAction, target: String(root.id) },
      { offset: 0, limit: 1 },
    );
    if (
      setups.total > 0 &&
      (await storage.ledger.findByReference('opening', `user:${root.id}`)) === null
    )
      await deps.ledger.post(openingOf(root.id));
  };

  let done = (await storage.setups.find()) !== null;
  const root = await findRoot();
  if (root !== null) {
    if (!done) await storage.setups.insert(setupRow());
    done = true;
    await finishInterrupted(root);
  }
  let code: SetupCode | undefined = done ? undefined : createSetupCode(deps.ownCode, deps);

  const markDone = (): void => {
    done = true;
    code = undefined;
  };

  const insertRoot = (
    request: SetupRequest,
    username: string,
    passwordHash: Secret,
    ip: string,
  ): Promise<number> =>
    deps.commit(async (inside, notes) => {
      if (!(await inside.setups.insert(setupRow()))) throw new AppError('already_set_up');
      const id = await inside.users.insert({
        username,
        passwordHash,
        role: roles.root,
        status: userStatuses.active,
        displayName: 'Root User',
        group: userFields.group.default,
        affCode: deps.ids.alphanumeric(4),
        createdAt: nowSeconds(clock),
      });
      const set = (key: OptionKey, value: string) =>
        inside.options.set({ key, value, hidden: false });
      await set('SelfUseModeEnabled', String(request.selfUse));
      await set('DemoSiteEnabled', String(request.demo));
      await set('SiteLanguage', request.siteLanguage);
      const name = request.systemName?.trim();
      if (name) await set('SystemName', writeOption('SystemName', parseOption('SystemName', name)));
      await deps.deferred.note(inside, openingOf(id));
      notes.record(
        { id, username: request.username, role: roles.root, group: userFields.group.default, ip },
        setupAction,
        id,
      );
      notes.after('the end of the setup', markDone);
      notes.after('the first quota', () => deps.deferred.post(openingOf(id)));
      notes.after('the first keys', () => deps.onRootMade?.(id));
      notes.changed('options');
      notes.changed('user', id);
      return id;
    });

  return {
    isSetUp: () => done,
    refresh: async () => {
      if (!done && (await storage.setups.find()) !== null) markDone();
    },
    hasRoot: async () => (await findRoot()) !== null,
    shownCode: () => code?.shown,
    checkCode: (given) => {
      if (done) throw new AppError('already_set_up');
      return code?.matches(given) ?? false;
    },
    findRoot,
    setUp: async (request, { ip }) => {
      if (done) throw new AppError('already_set_up');
      if (request.code !== null && !code?.matches(request.code))
        throw new AppError('setup_token_wrong');
      if (request.password !== request.confirmPassword) throw new AppError('passwords_differ');
      const { username } = checkNewUser({ username: request.username, password: request.password });
      return insertRoot(request, username, await hashPassword(request.password, deps.ids), ip);
    },
  };
}
