/** `turnpike topups …` (docs/rules/payments.md#orders). */
import { api } from '../../core/contract/index.ts';
import { topUpStatuses } from '../../core/vocabulary/statuses.ts';
import { type Argument, type Command, command, done, listed } from '../command/command.ts';
import { readTime } from '../command/common-flags.ts';
import { fieldFlag } from '../command/field-flag.ts';
import { pageFlags, readRows } from '../command/paging.ts';
import { userFlag } from '../command/user-flag.ts';
import { topUpColumns } from '../show/top-up-columns.ts';

const { topUp } = api;

const tradeNo: Argument = {
  name: 'order',
  kind: 'text',
  summary: { en: 'Order number', zh: '订单号' },
};

function timeFlag(
  name: 'from' | 'to',
  field: 'start_time' | 'end_time',
  summary: { en: string; zh: string },
) {
  return fieldFlag(topUp.list, field, summary, {
    name,
    kind: 'text',
    placeholder: 'DATE',
    read: (text) => readTime(name, text),
  });
}

export const topUpCommands: readonly Command[] = [
  command({
    name: 'topups list',
    summary: { en: 'List top-up orders, newest first', zh: '列出充值订单，新的在前' },
    flags: [
      ...pageFlags(1, 'page'),
      fieldFlag(
        topUp.list,
        'status',
        { en: 'Only this status', zh: '仅此状态' },
        { choices: topUpStatuses },
      ),
      fieldFlag(
        topUp.list,
        'trade_no',
        { en: 'Part of the order number', zh: '订单号的一部分' },
        { name: 'order' },
      ),
      userFlag(topUp.list, 'username'),
      timeFlag('from', 'start_time', { en: 'Created at or after', zh: '创建时间不早于' }),
      timeFlag('to', 'end_time', { en: 'Created at or before', zh: '创建时间不晚于' }),
    ],
    async run(context) {
      const rows = await readRows(context, async (input) => {
        const { records, total } = await context.call(topUp.list, input);
        return { items: records, total };
      });
      return listed(rows, topUpColumns);
    },
  }),
  command({
    name: 'topups complete',
    summary: { en: 'Credit an order that is known to be paid', zh: '为确认已付款的订单补单' },
    arguments: [tradeNo],
    confirmation: { en: 'Credit order {order}?', zh: '为订单 {order} 充值？' },
    async run(context) {
      const order = await context.call(topUp.complete, {
        trade_no: String(context.arguments.order),
      });
      return done(
        { en: 'Credited order {order}', zh: '订单 {order} 已充值' },
        { order: order.trade_no },
        order,
      );
    },
  }),
  command({
    name: 'topups refund',
    summary: {
      en: 'Pay an order back, in part or in full, and take its quota back',
      zh: '为订单退款（可部分退款），并收回额度',
    },
    details: {
      en: 'The provider pays the money back. What is spent becomes a debt. --noted takes only the quota back, for money that was paid back elsewhere. A repeated call after a failure pays nothing twice.',
      zh: '由支付平台退款；已经用掉的额度会变为负数。--noted 只收回额度，用于已在别处退款的订单。失败后重复执行不会重复退款。',
    },
    arguments: [tradeNo],
    flags: [
      fieldFlag(
        topUp.refund,
        'money',
        { en: 'Yuan; all that is left unless given', zh: '金额（元），默认剩余全部' },
        { placeholder: 'YUAN' },
      ),
      {
        name: 'noted',
        kind: 'switch',
        summary: { en: 'Already paid back elsewhere', zh: '已在别处退款' },
      },
      fieldFlag(topUp.refund, 'reason', { en: 'Reason', zh: '原因' }),
    ],
    confirmation: { en: 'Refund order {order}?', zh: '为订单 {order} 退款？' },
    async run(context) {
      const order = await context.call(topUp.refund, {
        ...context.values.input(),
        trade_no: String(context.arguments.order),
        noted: context.values.on('noted'),
      });
      return done(
        {
          en: 'Refunded order {order}: {money} yuan paid back in all',
          zh: '订单 {order} 已退款，累计 {money} 元',
        },
        { order: order.trade_no, money: order.refunded.toFixed(2) },
        order,
      );
    },
  }),
];
