/** Answers in place of the server's. */
import { channelStates } from '../../../src/core/vocabulary/channel-states.ts';
import { siteModel } from '../console-site.ts';
import type { Reply } from './steps.ts';

export const noChannels = Object.fromEntries(channelStates.map((state) => [state, 0]));
export const change = (path: string, facts: object): Reply => ({
  path,
  data: (data: object) => ({ ...data, ...facts }),
});
export const status = (facts: object) => change('/api/status', facts);
export const order = {
  id: 1,
  trade_no: 'USR1NO1',
  goods_name: '',
  user_id: 2,
  username: 'ann',
  note: '',
  amount: 10,
  quota: 5_000_000,
  money: 73,
  refunded: 0,
  payment_method: 'alipay',
  status: 'success',
  create_time: 1_790_000_000,
  create_time_str: '2026-09-21 10:13:20',
  finish_time: 1_790_000_100,
  finish_time_str: '2026-09-21 10:15:00',
  provider_trade_no: '',
};
export const income = { todayIncome: 0, monthIncome: 0, yearIncome: 0, page: 1, page_size: 20 };
export const orders: Reply = {
  path: '/api/topup',
  data: { records: [order], total: 1, ...income },
};
export const receipt: Reply = {
  path: '/api/turnpike/topup/receipt',
  data: {
    site_name: 'Turnpike',
    payer_name: '',
    payer_address: '',
    payer_tax_number: '',
    username: 'root',
    order: { ...order, user_id: 1 },
    time_zone: 'UTC',
  },
};
export const preview: Reply = {
  path: '/api/turnpike/prices/preview',
  data: {
    found: 1,
    models: [
      {
        model: siteModel,
        version: 'a',
        paid: 10,
        would_pay: 12,
        changes: [{ kind: 'input', site: '1', source: '2' }],
      },
    ],
    below_cost: [],
    users: [],
    skipped: [],
    partial: false,
  },
};
export const passkey = {
  id: 1,
  name: 'laptop',
  created_at: 1_790_000_000,
  last_used_at: 0,
  backed_up: false,
  host: '127.0.0.1',
};
export const factors: Reply = {
  path: '/api/turnpike/self/second-factor',
  data: (data) => ({
    ...data,
    totp_since: 1_790_000_000,
    passkeys: [passkey],
    recovery_codes_left: 8,
  }),
};
export const session = {
  id: '99',
  method: 'password',
  ip: '192.0.2.1',
  created_at: 1_790_000_000,
  current: false,
  last_seen: 1_790_000_000,
  user_agent: 'Mozilla/5.0 (Macintosh) Firefox/140.0',
};
