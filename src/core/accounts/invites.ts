import type { Ledger } from '../billing/ledger.ts';
import type { Changes } from '../cluster/changes.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { parseObject } from '../kernel/json.ts';
import { maxQuota, toQuota } from '../kernel/quota.ts';
import type { WriteLog } from '../logs/write-log.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import { logTypes } from '../vocabulary/log-types.ts';

export interface InviteDeps {
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly options: Pick<OptionStore, 'get'>;
  readonly writeLog: WriteLog;
  readonly changes: Changes;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Invite codes, and the invite quota that users earn with them (docs/rules/accounts.md#invites). */
export interface Invites {
  /** Generates the code on first use. */
  codeOf(userId: number): Promise<string>;
  /** Moves invite quota to the balance. Throws AppError transfer_too_small, invite_quota_insufficient, balance_limit. */
  transfer(actor: Actor, quota: number): Promise<void>;
  /** Posts transfers that a crash interrupted. Called at process start. */
  finishInterrupted(): Promise<void>;
}

const action = 'user.transfer';
/** The number of latest transfers checked at start. Earlier starts have finished older ones. */
const lookBack = 100;

export function createInvites(deps: InviteDeps): Invites {
  const { storage, clock } = deps;

  const post = (userId: number, username: string, quota: number, reference: string) =>
    deps.ledger.post({
      userId,
      kind: 'transfer',
      amount: toQuota(quota),
      reference,
      log: deps.writeLog.prepare({ userId, username }, logTypes.system, 'log.transferred', { quota }),
    });

  return {
    codeOf: async (userId) => {
      for (const length of [4, 4, 6, 6, 8]) {
        const user = await storage.users.find(userId);
        if (user === null) throw new AppError('not_found');
        if (user.affCode !== null && user.affCode !== '') return user.affCode;
        try {
          await storage.users.update(userId, { affCode: deps.ids.alphanumeric(length) });
          await deps.changes.announce('user', userId);
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'conflict') throw error; // the code is taken: try another one
        }
      }
      throw new AppError('conflict', { field: 'affCode' });
    },
    transfer: async (actor, quota) => {
      const minimum = deps.options.get('QuotaPerUnit');
      if (!Number.isSafeInteger(quota) || quota < minimum) throw new AppError('transfer_too_small', { min: minimum });
      // Checked first: the invite quota is deducted before it is posted.
      const { quota: balance } = await deps.ledger.balance(actor.id);
      if (!Number.isSafeInteger(balance + quota)) throw new AppError('balance_limit', { max: maxQuota });
      const reference = deps.ids.uuid();
      // The audit row is committed together with the deduction. An interrupted transfer is finished from it, once.
      await storage.transaction(async (inside) => {
        if (!(await inside.users.adjustInvite(actor.id, { affQuota: -quota }))) throw new AppError('invite_quota_insufficient');
        await inside.auditLogs.insert({
          actorId: actor.id,
          actorRole: actor.role,
          action,
          target: String(actor.id),
          detail: JSON.stringify({ reference, quota }),
          ip: actor.ip,
          createdAt: nowSeconds(clock),
        });
      });
      await post(actor.id, actor.username, quota, reference);
      await deps.changes.announce('user', actor.id);
    },
    finishInterrupted: async () => {
      const { items } = await storage.auditLogs.page({ action }, { offset: 0, limit: lookBack });
      for (const { actorId, detail } of items) {
        const { reference, quota } = parseObject(detail) ?? {};
        if (typeof reference !== 'string' || typeof quota !== 'number') continue;
        const user = await storage.users.find(actorId);
        if (user === null || (await storage.ledger.findByReference('transfer', reference)) !== null) continue;
        await post(user.id, user.username, quota, reference);
      }
    },
  };
}
