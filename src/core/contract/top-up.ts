import { topUpFilters } from '../entities/top-up-filters.ts';
import { z } from '../kernel/zod.ts';
import { topUpStatuses } from '../vocabulary/statuses.ts';
import { endpoint, id, quotaField, recordQuery } from './endpoint.ts';
import { filterSchema } from './filter-schema.ts';

const request = z.object({
  /** Whole currency units; quota where the site shows amounts as quota. */
  amount: z.number().int(),
  /** A discount code. */
  top_up_code: z.string().trim().max(64).default(''),
});

export const topUpRecord = z.object({
  id: z.number().int(),
  trade_no: z.string(),
  goods_name: z.string(),
  amount: z.number().int(),
  /** Credited when the order is paid. */
  quota: quotaField,
  /** Yuan. */
  money: z.number(),
  /** Yuan of it that were paid back. */
  refunded: z.number(),
  status: z.enum(topUpStatuses),
  /** `alipay`, `wxpay`, `wechatpay`; `admin`: completed by an administrator. */
  payment_method: z.string(),
  create_time: z.number().int(),
  /** In the server's time zone; empty for 0. */
  create_time_str: z.string(),
  /** 0 until paid. */
  finish_time: z.number().int(),
  finish_time_str: z.string(),
  /** For administrators only, as the rest. */
  user_id: z.number().int().optional(),
  username: z.string().optional(),
  provider_trade_no: z.string().optional(),
  note: z.string().optional(),
});
export type TopUpRecordEntity = z.infer<typeof topUpRecord>;
/** A receipt as a page or a card shows it. */
export type ReceiptEntity = z.infer<typeof topUpApi.receipt.output>;

/** Online top-ups (docs/rules/payments.md#orders). */
export const topUpApi = {
  amount: endpoint({
    method: 'POST',
    path: '/api/user/amount',
    access: 'user',
    shape: 'payment',
    input: request,
    /**
     * `data`: the sum in yuan. It is `amount` in currency units × `price` × `group_ratio` ×
     * `discount`, rounded once.
     */
    output: z.object({
      data: z.string(),
      quota: quotaField,
      price: z.number(),
      group_ratio: z.number(),
      discount: z.number(),
    }),
    summary: 'What a top-up costs, in yuan with two decimals, and what it credits',
  }),
  pay: endpoint({
    method: 'POST',
    path: '/api/user/pay',
    access: 'user',
    shape: 'payment',
    rate: 'critical',
    input: request.extend({ payment_method: z.string().default('') }),
    /** The fields of the form and the page to which the browser posts it. */
    output: z.object({ data: z.record(z.string(), z.string()), url: z.string() }),
    summary: 'Order a top-up that is paid through Epay',
  }),
  wechatPay: endpoint({
    method: 'POST',
    path: '/api/user/wechatpay',
    access: 'user',
    shape: 'order',
    rate: 'critical',
    input: request,
    /**
     * `code_url` is what the QR code shows; it can be paid for `expires_in` seconds. `money`: yuan.
     */
    output: z.object({
      code_url: z.string(),
      trade_no: z.string(),
      money: z.number(),
      expires_in: z.number().int(),
    }),
    summary: 'Order a top-up that is paid with WeChat Pay',
  }),
  state: endpoint({
    method: 'GET',
    path: '/api/user/wechatpay/query',
    access: 'user',
    input: z.object({ trade_no: z.string() }),
    output: z.object({
      trade_no: z.string(),
      status: z.enum(['SUCCESS', 'NOTPAY', 'CLOSED', 'REFUND']),
    }),
    summary: 'Whether my order is paid, with any payment method',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/topup',
    access: 'user',
    input: recordQuery.extend({
      ...filterSchema(topUpFilters, 'admins').shape,
      user_id: id.optional(),
      scope: z.enum(['', 'self']).default(''),
    }),
    output: z.object({
      records: z.array(topUpRecord),
      total: z.number().int(),
      page: z.number().int(),
      page_size: z.number().int(),
      /** Yuan that were paid in the current day, month and year, whatever the filters. */
      todayIncome: z.number(),
      monthIncome: z.number(),
      yearIncome: z.number(),
    }),
    summary: 'Top-ups, newest first: mine, or for administrators those of all users',
  }),
  receipt: endpoint({
    method: 'GET',
    path: '/api/turnpike/topup/receipt',
    access: 'user',
    input: z.object({ trade_no: z.string().min(1) }),
    output: z.object({
      site_name: z.string(),
      /** What the user's settings say; '' where they say nothing. */
      payer_name: z.string(),
      payer_address: z.string(),
      payer_tax_number: z.string(),
      /** Of the account that paid; '' where it was removed. */
      username: z.string(),
      /** As in the list of orders, whose times are in this time zone. */
      order: topUpRecord,
      time_zone: z.string(),
    }),
    summary: 'The receipt of a paid order: mine, or for administrators that of a user',
  }),
  complete: endpoint({
    method: 'POST',
    path: '/api/topup/complete',
    access: 'admin',
    input: z.object({ trade_no: z.string().min(1) }),
    output: topUpRecord,
    summary: 'Credit an order that is known to be paid',
  }),
  refund: endpoint({
    method: 'POST',
    path: '/api/turnpike/topup/refund',
    access: 'admin',
    input: z.object({
      trade_no: z.string().min(1),
      /** Yuan, such as `12.50`; empty: all that is left. */
      money: z.string().trim().max(20).default(''),
      /**
       * Yuan that were paid back when the caller looked, as in the list of orders: what came since
       * is a part of `money`, so that a repeated call pays nothing twice. Empty: as it is now.
       */
      refunded: z.string().trim().max(20).default(''),
      /** It was paid back elsewhere: nothing is sent to the provider. */
      noted: z.boolean().default(false),
      /** The payer sees it where the provider shows it. */
      reason: z.string().trim().max(80).default(''),
    }),
    output: topUpRecord,
    summary: 'Pay an order back, in part or in full, and take its quota back',
  }),
};
