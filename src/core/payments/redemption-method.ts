import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { LogOwner } from '../logs/write-log.ts';
import type { Storage } from '../storage/storage.ts';
import { redemptionStateOf, redemptionStates } from '../vocabulary/redemption-state.ts';
import { redemptionStatuses } from '../vocabulary/statuses.ts';
import type { Credit } from './credit-wallet.ts';

export interface RedemptionNotice {
  readonly key: string;
  /** The user who redeems the code. */
  readonly payer: LogOwner;
}

export interface RedemptionMethodDeps {
  readonly storage: Pick<Storage, 'redemptions'>;
  readonly clock: Clock;
}

/** Redemption codes, which were paid for elsewhere (docs/rules/payments.md#redeeming). */
export interface RedemptionMethod {
  /**
   * The key proves the payment. Throws AppError code_missing, code_unknown, code_used,
   * code_expired.
   */
  verify(notice: RedemptionNotice): Promise<Credit>;
}

export function createRedemptionMethod({ storage, clock }: RedemptionMethodDeps): RedemptionMethod {
  return {
    verify: async ({ key, payer }) => {
      const trimmed = key.trim();
      if (trimmed === '') throw new AppError('code_missing');
      const code = await storage.redemptions.findByKey(trimmed);
      if (code === null) throw new AppError('code_unknown');
      const state = redemptionStateOf(
        { status: code.status, expired_time: code.expiredTime },
        nowSeconds(clock),
      );
      if (state === redemptionStates.expired) throw new AppError('code_expired');
      if (state !== redemptionStates.unused) throw new AppError('code_used');
      return {
        payer,
        kind: 'redemption',
        amount: code.quota,
        reference: String(code.id),
        guard: {
          table: 'redemptions',
          id: code.id,
          from: redemptionStatuses.unused,
          to: redemptionStatuses.used,
          // An administrator may edit the code between this check and the posting.
          unchanged: { quota: code.quota, expired_time: code.expiredTime },
          set: { used_user_id: payer.userId, redeemed_time: nowSeconds(clock) },
        },
        log: { sentence: 'log.redeemed', params: { quota: code.quota, id: code.id } },
      };
    },
  };
}
