import type { Commit } from '../audit/commit.ts';
import type { DeferredPostings, Ledger } from '../billing/index.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { maxQuota, toQuota } from '../kernel/quota.ts';
import type { WriteLog } from '../logs/write-log.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import { logTypes } from '../vocabulary/log-types.ts';

export interface InviteDeps {
  readonly storage: Storage;
  readonly ledger: Pick<Ledger, 'balance'>;
  readonly deferred: DeferredPostings;
  readonly options: Pick<OptionStore, 'get'>;
  readonly writeLog: WriteLog;
  readonly commit: Commit;
  readonly ids: Ids;
}

/**
 * Invite codes, and the invite quota that users earn with them (docs/rules/accounts.md#invites).
 */
export interface Invites {
  /** Generates the code on first use. */
  codeOf(userId: number): Promise<string>;
  /**
   * Moves invite quota to the balance. Throws AppError transfer_too_small,
   * invite_quota_insufficient, balance_limit.
   */
  transfer(actor: Actor, quota: number): Promise<void>;
}

export function createInvites(deps: InviteDeps): Invites {
  const { storage, commit, deferred } = deps;

  return {
    codeOf: async (userId) => {
      for (const length of [4, 4, 6, 6, 8]) {
        const user = await storage.users.find(userId);
        if (user === null) throw new AppError('not_found');
        if (user.affCode !== null && user.affCode !== '') return user.affCode;
        try {
          await storage.users.setMissingAffCode(userId, deps.ids.alphanumeric(length));
        } catch (error) {
          // the code is taken: try another one
          if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        }
      }
      throw new AppError('conflict', { field: 'affCode' });
    },
    transfer: async (actor, quota) => {
      const minimum = deps.options.get('QuotaPerUnit');
      if (!Number.isSafeInteger(quota) || quota < minimum)
        throw new AppError('transfer_too_small', { min: minimum });
      // Checked first: the invite quota is deducted before it is posted.
      const { quota: balance } = await deps.ledger.balance(actor.id);
      if (!Number.isSafeInteger(balance + quota))
        throw new AppError('balance_limit', { max: maxQuota });
      const posting = {
        userId: actor.id,
        kind: 'transfer',
        amount: toQuota(quota),
        reference: deps.ids.uuid(),
        log: deps.writeLog.prepare(
          { userId: actor.id, username: actor.username },
          logTypes.system,
          'log.transferred',
          { quota },
        ),
      } as const;
      await commit(async (inside, notes) => {
        if (!(await inside.users.adjustInvite(actor.id, { affQuota: -quota })))
          throw new AppError('invite_quota_insufficient');
        await deferred.note(inside, posting);
        notes.record(actor, 'user.transfer', actor.id, { reference: posting.reference, quota });
        notes.after('the posting', () => deferred.post(posting));
      });
    },
  };
}
