import type { DeferredPostings, OwedPosting } from '../billing/index.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError, type ErrorCode } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { toQuota } from '../kernel/quota.ts';
import type { LogSentence, WriteLog } from '../logs/write-log.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { GiftedWay, NewUser, Storage, UserIdentity } from '../storage/storage.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import { userStatuses } from '../vocabulary/statuses.ts';

export interface NewAccount
  extends Omit<NewUser, 'status' | 'affCode' | 'inviterId' | 'createdAt'> {
  /** Initial quota; absent: QuotaForNewUser. */
  readonly quota?: number;
  /** Another user's invite code; unknown codes are ignored. */
  readonly affCode?: string;
  /** At a third party, by which the account is signed in to. */
  readonly identity?: Pick<UserIdentity, 'provider' | 'subject'>;
  /** Runs in the transaction that creates the account; an error undoes both. */
  readonly alongside?: (inside: Storage) => Promise<void>;
  /** Runs in the same transaction, once the account has its id. */
  readonly attach?: (inside: Storage, userId: number) => Promise<void>;
}

/** What a unique column of another account is reported as. */
const takenErrors: Readonly<Record<string, ErrorCode>> = {
  username: 'username_taken',
  email: 'email_taken',
  phone: 'phone_taken',
};

export type CreateAccount = (account: NewAccount) => Promise<number>;

export interface CreateAccountDeps {
  readonly storage: Storage;
  readonly deferred: DeferredPostings;
  readonly options: OptionStore;
  readonly writeLog: WriteLog;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Creates an account; there is no other way (docs/rules/accounts.md#new-accounts). Throws AppError
 * username_taken, email_taken, phone_taken, and what `alongside` and `attach` throw. The account,
 * what it is owed and the inviter's reward are committed together, so that each is granted exactly
 * once; a way in that brought gifts to an earlier account brings none.
 */
export function bindCreateAccount(deps: CreateAccountDeps): CreateAccount {
  const { storage, options, deferred, writeLog } = deps;

  const inviterOf = async (code: string | undefined): Promise<number> => {
    if (code === undefined || code.trim() === '') return 0;
    const inviter = await storage.users.findByAffCode(code.trim());
    return inviter === null || inviter.deletedAt !== null ? 0 : inviter.id;
  };

  /** What the account gets: its own quota, and the gift for those who were invited. */
  const giftsOf = (
    userId: number,
    { username, quota }: NewAccount,
    isInvited: boolean,
  ): readonly Gift[] => {
    const gift = (kind: Gift['kind'], sentence: LogSentence, amount: number): Gift => ({
      userId,
      kind,
      amount: toQuota(amount),
      reference: `account:${userId}`,
      log: writeLog.prepare({ userId, username }, logTypes.system, sentence, { quota: amount }),
    });
    const gifts = [
      gift('grant', 'log.new_user', quota ?? options.get('QuotaForNewUser')),
      ...(isInvited ? [gift('invite', 'log.invitee', options.get('QuotaForInvitee'))] : []),
    ];
    return gifts.filter(({ amount }) => amount > 0);
  };

  /** The inviter's reward goes to the invite quota. */
  const rewardInviter = async (inside: Storage, inviterId: number): Promise<void> => {
    const quota = options.get('QuotaForInviter');
    await inside.users.adjustInvite(inviterId, {
      affCount: 1,
      affQuota: quota,
      affHistoryQuota: quota,
    });
    const inviter = quota > 0 ? await inside.users.find(inviterId) : null;
    if (inviter === null) return;
    const owner = { userId: inviterId, username: inviter.username };
    const row = writeLog.prepare(owner, logTypes.system, 'log.inviter', { quota });
    await inside.logs.insert({ ...row, quota: toQuota(row.quota) });
  };

  const insert = (account: NewAccount, inviter: number, affCode: string): Promise<Inserted> =>
    storage.transaction(async (inside) => {
      const { quota, affCode: _affCode, identity: _, alongside, attach, ...user } = account;
      await alongside?.(inside);
      const status = userStatuses.active;
      const createdAt = nowSeconds(deps.clock);
      const isFirst = await inside.giftedWays.note(waysOf(account), createdAt);
      const inviterId = isFirst ? inviter : 0;
      const id = await inside.users.insert({
        ...user,
        status,
        affCode,
        inviterId,
        createdAt,
      });
      await attach?.(inside, id);
      const gifts = isFirst || quota !== undefined ? giftsOf(id, account, inviterId !== 0) : [];
      for (const gift of gifts) await deferred.note(inside, gift);
      if (inviterId !== 0) await rewardInviter(inside, inviterId);
      return { id, gifts };
    });

  const insertWithFreeCode = async (account: NewAccount, inviterId: number): Promise<Inserted> => {
    for (const codeLength of [4, 4, 6, 6, 8]) {
      try {
        return await insert(account, inviterId, deps.ids.alphanumeric(codeLength));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        const { field } = error.params;
        const taken = takenErrors[String(field)];
        if (taken !== undefined) throw new AppError(taken, {}, { cause: error });
        if (field !== 'affCode') throw error;
      }
    }
    throw new AppError('conflict', { field: 'affCode' });
  };

  return async (account) => {
    const { id, gifts } = await insertWithFreeCode(account, await inviterOf(account.affCode));
    for (const gift of gifts) await deferred.post(gift);
    return id;
  };
}

function waysOf({ email, emailVerified, phone, identity }: NewAccount): readonly GiftedWay[] {
  return [
    ...(email && emailVerified ? [{ kind: 'email', value: email }] : []),
    ...(phone ? [{ kind: 'phone', value: phone }] : []),
    ...(identity ? [{ kind: identity.provider, value: identity.subject }] : []),
  ];
}

type Gift = OwedPosting & { readonly kind: 'grant' | 'invite' };

interface Inserted {
  readonly id: number;
  readonly gifts: readonly Gift[];
}
