import type { Quota } from '../kernel/quota.ts';
import type { LogOwner, LogParams, LogSentence } from '../logs/write-log.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Guard } from '../storage/ledger/guards.ts';
import type { TopUp } from '../storage/storage.ts';

/** A verified payment: whose wallet it credits, and with how much. */
export interface Credit {
  readonly payer: LogOwner;
  readonly kind: 'redemption' | 'top_up';
  readonly amount: Quota;
  /** Unique per kind: the same payment is credited once, however often it is reported. */
  readonly reference: string;
  /** The row that this payment settles: an open order or an unused code. */
  readonly guard: Guard;
  readonly log: { readonly sentence: LogSentence; readonly params: LogParams };
}

/** One way to pay. docs/adding-things.md lists the files of a new one. */
export interface PaymentMethod<Notice> {
  readonly id: string;
  isEnabled(options: Pick<OptionStore, 'get'>): boolean;
  /** For methods with a provider: submits a stored order there and returns the URL of the payment page. */
  createOrder?(order: TopUp): Promise<{ readonly url: string }>;
  /**
   * Verifies a payment notice. Null: the notice is genuine but reports no payment. Throws AppError if it is not genuine or
   * does not match the order.
   */
  verifyNotice(notice: Notice): Promise<Credit | null>;
  /** For methods that can look up an order whose notice did not arrive. */
  query?(order: TopUp): Promise<Credit | null>;
}
