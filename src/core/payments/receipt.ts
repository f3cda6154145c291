import { type Payer, readPayer } from '../entities/payer.ts';
import { requireAllowed } from '../entities/require-allowed.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import { roles } from '../vocabulary/roles.ts';
import type { TopUpRecord } from './top-up-service.ts';

/** A paid order as it is stored, with who received the money and who paid it. */
export interface Receipt {
  readonly siteName: string;
  readonly payer: Payer;
  readonly order: TopUpRecord;
}

/**
 * The receipt of a paid order: one's own, or for administrators that of a user whom they may see
 * (docs/rules/payments.md#receipts). Throws AppError order_unknown, order_not_paid,
 * user_read_forbidden.
 */
export type FindReceipt = (actor: Actor, tradeNo: string) => Promise<Receipt>;

export interface ReceiptDeps {
  readonly storage: Pick<Storage, 'topUps' | 'users'>;
  readonly options: Pick<OptionStore, 'get'>;
}

export function bindFindReceipt({ storage, options }: ReceiptDeps): FindReceipt {
  return async (actor, tradeNo) => {
    const order = await storage.topUps.findByTradeNo(tradeNo);
    const isOwn = order?.userId === actor.id;
    // Whether the order exists is nothing for other customers.
    if (order === null || (!isOwn && actor.role < roles.admin)) throw new AppError('order_unknown');
    const user = await storage.users.find(order.userId);
    if (!isOwn && user !== null) requireAllowed('read', { actor, target: user });
    if (order.status !== 'success') throw new AppError('order_not_paid');
    return {
      siteName: options.get('SystemName'),
      payer: readPayer(user?.setting ?? ''),
      order: { ...order, username: user?.username ?? '' },
    };
  };
}
