import type { TopUp } from '../storage/storage.ts';

/** A payment that a provider reports. Whether it fits the order is checked by `settle-order.ts`. */
export interface ReportedPayment {
  /** Our number of the order. */
  readonly tradeNo: string;
  readonly cents: number;
  readonly providerTradeNo: string;
  /** How it was paid, if not as ordered; absent: as ordered. */
  readonly paymentMethod?: string;
}

/**
 * What the provider knows about an order. `closed`: it can no longer be paid. `refunded`: it was
 * paid and paid back.
 */
export type ProviderOrder =
  | { readonly state: 'paid'; readonly payment: ReportedPayment }
  | { readonly state: 'unpaid' | 'closed' | 'refunded' };

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
  /** Null: the notice is genuine but reports no payment. Throws AppError if it is not genuine. */
  verifyNotice(notice: Notice): Promise<ReportedPayment | null>;
  /** Looks the order up at the provider. Throws AppError if the provider does not say. */
  query(order: TopUp, signal?: AbortSignal): Promise<ProviderOrder>;
  /** Makes an unpaid order unpayable, for providers that offer this. */
  close?(order: TopUp, signal?: AbortSignal): Promise<void>;
}

/** A method as the code that handles stored orders sees it. */
export type OrderMethod = Omit<PaymentMethod<never, unknown>, 'createOrder' | 'verifyNotice'>;
