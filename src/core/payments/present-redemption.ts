import type { RedemptionEntity } from '../contract/entities.ts';
import { createPresenter } from '../entities/convert.ts';
import { redemptionFields } from '../entities/redemption.ts';
import type { Redemption } from '../storage/storage.ts';

const present = createPresenter(redemptionFields);

/**
 * Shows the whole key, because administrators hand it out
 * (docs/rules/payments.md#redemption-codes).
 */
export function presentRedemption(code: Redemption): RedemptionEntity {
  if (code.key.isUnreadable) return { ...present({ ...code, key: '' }), unreadable: true };
  return present({ ...code, key: code.key.reveal() });
}
