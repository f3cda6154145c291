/** `turnpike topups …` (docs/rules/payments.md#orders). */
import { CallError } from '../../core/contract/envelope.ts';
import { api } from '../../core/contract/index.ts';
import { topUpFilters } from '../../core/entities/top-up-filters.ts';
import { formatPaid } from '../../core/pricing/format-sums.ts';
import { exitCodeOf, exitCodes } from '../base/exit-codes.ts';
import {
  type Argument,
  type Command,
  type Context,
  command,
  done,
  listed,
} from '../command/command.ts';
import { fieldFlag } from '../command/field-flag.ts';
import { filterFlags } from '../command/filter-flags.ts';
import { pageFlags, readRows } from '../command/paging.ts';
import { printCard } from '../show/table.ts';
import { receiptColumns, topUpColumns } from '../show/top-up-columns.ts';

const { topUp } = api;

const tradeNo: Argument = {
  name: 'order',
  kind: 'text',
  summary: { en: 'Order number', zh: '订单号' },
};

const texts = {
  again: {
    en: 'The money may be paid back. Repeat the command with --refunded {refunded}: then nothing is paid back twice',
    zh: '款项可能已退。请加 --refunded {refunded} 重新执行，这样不会重复退款',
  },
} as const;

/** Yuan of an order that are paid back now. */
async function seenRefunds({ call }: Context, tradeNo: string): Promise<string> {
  const { order } = await call(topUp.receipt, { trade_no: tradeNo });
  return formatPaid(order.refunded);
}

/** Whether a refund may have been made although its call failed. */
function mayBePaid(error: unknown): boolean {
  const code = exitCodeOf(error);
  const isRefused = error instanceof CallError && error.code === 'refund_failed';
  return (code === exitCodes.unreachable || code === exitCodes.failed) && !isRefused;
}

export const topUpCommands: readonly Command[] = [
  command({
    name: 'topups list',
    summary: { en: 'List top-up orders, newest first', zh: '列出充值订单，新的在前' },
    flags: [...pageFlags(1, 'page'), ...filterFlags(topUp.list, topUpFilters)],
    async run(context) {
      const rows = await readRows(context, async (input) => {
        const { records, total } = await context.call(topUp.list, input);
        return { items: records, total };
      });
      return listed(rows, topUpColumns);
    },
  }),
  command({
    name: 'topups receipt',
    summary: {
      en: 'The receipt of a paid order; the console prints it',
      zh: '已支付订单的收据；可在控制台打印',
    },
    arguments: [tradeNo],
    async run(context) {
      const receipt = await context.call(topUp.receipt, {
        trade_no: String(context.arguments.order),
      });
      return {
        json: receipt,
        print: async (output, view) => printCard(output, receiptColumns, receipt, await view()),
      };
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
      en: 'The provider pays the money back. What is spent becomes a debt. --noted takes only the quota back, for money that was paid back elsewhere. With --refunded, a call that is repeated after a failure pays nothing twice.',
      zh: '由支付平台退款；已经用掉的额度会变为负数。--noted 只收回额度，用于已在别处退款的订单。带 --refunded 时，失败后重复执行不会重复退款。',
    },
    arguments: [tradeNo],
    flags: [
      fieldFlag(
        topUp.refund,
        'money',
        { en: 'Yuan; all that is left unless given', zh: '金额（元），默认剩余全部' },
        { placeholder: 'YUAN' },
      ),
      fieldFlag(
        topUp.refund,
        'refunded',
        {
          en: 'Yuan paid back when you looked; what came since counts towards the sum',
          zh: '查看时的已退款金额（元），此后的退款计入本次金额',
        },
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
      const tradeNo = String(context.arguments.order);
      const refunded = context.values.text('refunded') ?? (await seenRefunds(context, tradeNo));
      const order = await context
        .call(topUp.refund, {
          ...context.values.input(),
          trade_no: tradeNo,
          refunded,
          noted: context.values.on('noted'),
        })
        .catch((error: unknown) => {
          if (mayBePaid(error)) context.output.note(texts.again, { refunded }, 'warn');
          throw error;
        });
      return done(
        {
          en: 'Refunded order {order}: {money} yuan paid back in all',
          zh: '订单 {order} 已退款，累计 {money} 元',
        },
        { order: order.trade_no, money: formatPaid(order.refunded) },
        order,
      );
    },
  }),
];
