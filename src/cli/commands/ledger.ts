/**
 * `turnpike ledger …`: the proof that every balance is the sum of its postings (docs/rules/ledger.md#ledger-verify).
 */
import { api } from '../../core/contract/index.ts';
import type { StatementEntity } from '../../core/contract/statement.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { type Command, command, failedWith, type Outcome } from '../command/command.ts';
import { download, fileArgument } from '../command/download.ts';
import { fieldFlag } from '../command/field-flag.ts';
import { pageFlags } from '../command/paging.ts';
import { userFlag } from '../command/user-flag.ts';
import { ledgerColumns } from '../show/columns.ts';
import type { Output } from '../show/output.ts';
import { printTable, type View } from '../show/table.ts';

const { ledger, statement } = api;

export const ledgerCommands: readonly Command[] = [
  command({
    name: 'ledger verify',
    summary: {
      en: 'Recompute every balance and statement; exit code 1 on any difference',
      zh: '核对每个余额与账单；有任何偏差时退出码为 1',
    },
    async run(context) {
      const found = await context.call(ledger.verify, {});
      const outcome: Outcome = {
        json: found,
        async print(output, view) {
          const counts = { users: formatCount(found.users), postings: formatCount(found.postings), holds: found.stale_holds };
          output.line(output.paint(found.ok ? 'ok' : 'error', output.localize(found.ok ? texts.sound : texts.drift, counts)));
          if (found.stale_holds > 0) output.line(output.localize(texts.holds, counts));
          if (found.drifts.length === 0) return;
          printTable(
            output,
            [
              { title: { en: 'account', zh: '账户' }, value: (row) => `${row.account} ${row.id}` },
              { title: { en: 'name', zh: '名称' }, value: (row) => row.name },
              { title: { en: 'expected', zh: '应为' }, value: (row) => formatCount(row.expected), align: 'right' },
              { title: { en: 'actual', zh: '实际' }, value: (row) => formatCount(row.actual), align: 'right' },
              { title: { en: 'drift', zh: '偏差' }, value: (row) => formatCount(row.drift), align: 'right', tone: () => 'error' },
            ],
            found.drifts,
            await view(),
          );
        },
      };
      return found.ok ? outcome : failedWith(outcome);
    },
  }),
  command({
    name: 'ledger list',
    summary: { en: 'List postings, newest first', zh: '列出账目，新的在前' },
    flags: [...pageFlags(1), userFlag(ledger.list, 'user_id')],
    calls: ledger.list,
    columns: ledgerColumns,
  }),
  command({
    name: 'ledger statement',
    summary: { en: 'Why a balance is what it is: the postings of a month', zh: '余额从何而来：某月的账目汇总' },
    details: {
      en: 'Prints sums by kind; with a file or --csv, the postings of the month as CSV.',
      zh: '输出按类别的合计；给出文件或 --csv 时，输出当月账目的 CSV。',
    },
    arguments: [fileArgument],
    flags: [
      userFlag(statement.get, 'user_id', {
        en: 'Of this user (default: yourself); a number is an id',
        zh: '此用户的账单（默认本人）；数字视为编号',
      }),
      fieldFlag(
        statement.get,
        'month',
        { en: 'Month (default: the current one)', zh: '月份（默认为本月）' },
        { placeholder: 'YYYY-MM' },
      ),
      { name: 'csv', kind: 'switch', summary: { en: 'Print CSV', zh: '输出 CSV' } },
    ],
    async run(context) {
      const input = context.values.input();
      if (context.values.on('csv') || context.arguments['file'] !== undefined) {
        return download(context, () => context.call(statement.export, input));
      }
      const found = await context.call(statement.get, input);
      return { json: found, print: async (output, view) => printStatement(output, found, await view()) };
    },
  }),
];

function printStatement(output: Output, found: StatementEntity, view: View): void {
  const { kinds, month, username, opening, closing, difference } = found;
  output.line(output.paint('title', `${username}  ${month}  ${found.time_zone}`));
  const line = (name: string, amount: number, count?: number) => ({ name, amount, count });
  const rows = [
    line(output.localize(texts.opening), opening),
    ...kinds.map(({ kind, amount, count }) => line(kind, amount, count)),
    ...(difference === 0 ? [] : [line(output.localize(texts.unexplained), difference)]),
    line(output.localize(texts.closing), closing),
  ];
  printTable(
    output,
    [
      { title: { en: '', zh: '' }, value: (row) => row.name },
      {
        title: { en: 'count', zh: '笔数' },
        value: (row) => (row.count === undefined ? '' : formatCount(row.count)),
        align: 'right',
      },
      { title: { en: 'amount', zh: '金额' }, value: (row) => view.money.cost(row.amount), align: 'right' },
    ],
    rows,
    view,
  );
}

const texts = {
  opening: { en: 'opening balance', zh: '期初余额' },
  closing: { en: 'closing balance', zh: '期末余额' },
  unexplained: { en: 'not explained by postings', zh: '没有账目的变动' },
  sound: {
    en: 'The ledger adds up: {users} {users:user|users}, {postings} {postings:posting|postings}',
    zh: '账目相符：{users} 个用户，{postings} 条账目',
  },
  drift: {
    en: 'The ledger does not add up: {users} {users:user|users}, {postings} {postings:posting|postings}',
    zh: '账目不符：{users} 个用户，{postings} 条账目',
  },
  holds: { en: '{holds} {holds:hold|holds} without a request', zh: '{holds} 笔预扣没有对应的请求' },
} as const;
