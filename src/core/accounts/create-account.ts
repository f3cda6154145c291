import type { Ledger, NewLog } from '../billing/ledger.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { toQuota } from '../kernel/quota.ts';
import type { WriteLog } from '../logs/write-log.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { NewUser, Storage } from '../storage/storage.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import { userStatuses } from '../vocabulary/statuses.ts';

export interface NewAccount extends Omit<NewUser, 'status' | 'affCode' | 'inviterId' | 'createdAt'> {
  /** Initial quota; absent: QuotaForNewUser. */
  readonly quota?: number;
  /** Another user's invite code; unknown codes are ignored. */
  readonly affCode?: string;
}

export type CreateAccount = (account: NewAccount) => Promise<number>;

export interface CreateAccountDeps {
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly options: OptionStore;
  readonly writeLog: WriteLog;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Creates an account; there is no other way (docs/rules/accounts.md#new-accounts). Throws AppError username_taken. The
 * row is committed before its quota is posted. Each posting has its own reference, so quota cannot be granted twice.
 */
export function bindCreateAccount(deps: CreateAccountDeps): CreateAccount {
  const { storage, options, ledger, writeLog } = deps;

  const inviterOf = async (code: string | undefined): Promise<number> => {
    if (code === undefined || code.trim() === '') return 0;
    const inviter = await storage.users.findByAffCode(code.trim());
    return inviter === null || inviter.deletedAt !== null ? 0 : inviter.id;
  };

  const insert = async ({ quota: _quota, affCode: _affCode, ...user }: NewAccount, inviterId: number): Promise<number> => {
    for (const codeLength of [4, 4, 6, 6, 8]) {
      try {
        return await storage.users.insert({
          ...user,
          status: userStatuses.active,
          affCode: deps.ids.alphanumeric(codeLength),
          inviterId,
          createdAt: nowSeconds(deps.clock),
        });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        if (error.params.field !== 'affCode') throw new AppError('username_taken', {}, { cause: error });
      }
    }
    throw new AppError('conflict', { field: 'affCode' });
  };

  const grant = async (userId: number, kind: 'grant' | 'invite', quota: number, log: NewLog): Promise<void> => {
    if (quota > 0) await ledger.post({ userId, kind, amount: toQuota(quota), reference: `account:${userId}`, log });
  };

  return async (account) => {
    const inviterId = await inviterOf(account.affCode);
    const id = await insert(account, inviterId);
    const owner = { userId: id, username: account.username };
    const initialQuota = account.quota ?? options.get('QuotaForNewUser');
    await grant(id, 'grant', initialQuota, writeLog.prepare(owner, logTypes.system, 'log.new_user', { quota: initialQuota }));
    if (inviterId === 0) return id;
    const forInvitee = options.get('QuotaForInvitee');
    await grant(id, 'invite', forInvitee, writeLog.prepare(owner, logTypes.system, 'log.invitee', { quota: forInvitee }));
    const forInviter = options.get('QuotaForInviter');
    await storage.users.adjustInvite(inviterId, { affCount: 1, affQuota: forInviter, affHistoryQuota: forInviter });
    if (forInviter > 0) {
      const inviter = await storage.users.find(inviterId);
      if (inviter !== null) {
        await writeLog.write({ userId: inviterId, username: inviter.username }, logTypes.system, 'log.inviter', {
          quota: forInviter,
        });
      }
    }
    return id;
  };
}
