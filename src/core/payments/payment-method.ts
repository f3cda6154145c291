import type { Quota } from '../kernel/quota.ts';
import type { LogOwner, LogParams, LogSentence } from '../logs/write-log.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Guard } from '../storage/ledger/guards.ts';
import type { TopUp } from '../storage/storage.ts';

/** What a proven payment adds to whose wallet. */
export interface Credit {
  readonly payer: LogOwner;
  readonly kind: 'redemption' | 'top_up';
  readonly amount: Quota;
  /** Unique per kind: the same payment is credited once, however often it is reported. */
  readonly reference: string;
  /** The row that this payment uses up: an order that was open, a code that was unused. */
  readonly guard: Guard;
  readonly log: { readonly sentence: LogSentence; readonly params: LogParams };
}

/** One way to pay. docs/adding-things.md lists the files of a new one. */
export interface PaymentMethod<Notice> {
  readonly id: string;
  isEnabled(options: Pick<OptionStore, 'get'>): boolean;
  /** For methods with a provider: announces a stored order there and returns the page on which it is paid. */
  createOrder?(order: TopUp): Promise<{ readonly url: string }>;
  /**
   * Checks what is said to prove a payment. Null: it is genuine and reports no payment. Throws AppError where it is not
   * genuine or does not fit the order.
   */
  verifyNotice(notice: Notice): Promise<Credit | null>;
  /** For methods that can be asked about an order whose notice did not come. */
  query?(order: TopUp): Promise<Credit | null>;
}
