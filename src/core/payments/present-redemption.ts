import type { RedemptionEntity } from '../contract/entities.ts';
import type { Redemption } from '../storage/storage.ts';

/** Keys are shown whole: administrators hand them out (docs/rules/payments.md#redemption-codes). */
export function presentRedemption(code: Redemption): RedemptionEntity {
  return {
    id: code.id,
    user_id: code.userId,
    key: code.key,
    status: code.status,
    name: code.name,
    quota: code.quota,
    created_time: code.createdTime,
    redeemed_time: code.redeemedTime,
    used_user_id: code.usedUserId,
    DeletedAt: code.deletedAt === null ? null : new Date(code.deletedAt * 1000).toISOString(),
  };
}
