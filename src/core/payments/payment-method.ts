import type { TopUp } from '../storage/storage.ts';

/** A payment that a provider reports. Whether it fits the order is checked by `settle-order.ts`. */
export interface ReportedPayment {
  /** Our number of the order. */
  readonly tradeNo: string;
  /** Undefined: the provider's sum is negative or cannot be read. */
  readonly cents: number | undefined;
  /** The sum in yuan, as the provider writes it. */
  readonly sum: string;
  readonly providerTradeNo: string;
  /** How it was paid, if not as ordered; absent: as ordered. */
  readonly paymentMethod?: string;
}

/** A refund that a provider reports. */
export interface ReportedRefund {
  /** Our number of the order. */
  readonly tradeNo: string;
  /** One for each refund of an order, ours or one that was made at the provider. */
  readonly refundNo: string;
  readonly cents: number;
  /** `failed`: the payer did not get it, and it is still open; `closed`: it was given up. */
  readonly state: 'refunded' | 'failed' | 'closed';
}

/** What a genuine notice says. */
export type Report = { readonly payment: ReportedPayment } | { readonly refund: ReportedRefund };

/**
 * What the provider knows about an order. `closed`: it can no longer be paid. `refunded`: it was
 * paid and paid back, at least in part; `cents`: how much of it in all, where the provider says it.
 */
export type ProviderOrder =
  | { readonly state: 'paid'; readonly payment: ReportedPayment }
  | { readonly state: 'unpaid' | 'closed' }
  | { readonly state: 'refunded'; readonly cents?: number };

export interface RefundRequest {
  readonly order: TopUp;
  /** The same number and sum are paid back once, however often they are sent. */
  readonly refundNo: string;
  readonly cents: number;
  readonly reason: string;
}

/** One way to pay at a provider. docs/adding-things.md lists the files of a new one. */
export interface PaymentMethod<Notice, Checkout> {
  readonly id: string;
  /** Seconds after which an unpaid order is closed. */
  readonly orderSeconds: number;
  /** Whether everything that the method needs is configured. */
  isEnabled(): boolean;
  /** Whether an order was placed with this method, by its `paymentMethod`. */
  owns(paymentMethod: string): boolean;
  /** Submits a stored order and returns what the payer's browser needs. */
  createOrder(order: TopUp): Promise<Checkout>;
  /** Null: the notice is genuine but reports nothing. Throws AppError if it is not genuine. */
  verifyNotice(notice: Notice): Promise<Report | null>;
  /** Looks the order up at the provider. Throws AppError if the provider does not say. */
  query(order: TopUp, signal?: AbortSignal): Promise<ProviderOrder>;
  /** Makes an unpaid order unpayable, for providers that offer this. */
  close?(order: TopUp, signal?: AbortSignal): Promise<void>;
  /**
   * Pays a part of an order or all of it back. `given_up`: the provider gave up the refund that has
   * this number; another number pays. Throws AppError refund_not_offered, refund_failed.
   */
  refund?(request: RefundRequest): Promise<'accepted' | 'given_up'>;
  /** Sends no notices of refunds: they are found by looking paid orders up. */
  readonly hidesRefunds?: boolean;
}

/** A method as the code that handles stored orders sees it. */
export type OrderMethod = Omit<PaymentMethod<never, unknown>, 'createOrder' | 'verifyNotice'>;
