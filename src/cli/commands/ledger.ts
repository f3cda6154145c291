/**
 * `turnpike ledger …`: postings, statements, and the proof that every balance is the sum of its
 * postings.
 */
import { api } from '../../core/contract/index.ts';
import type { StatementEntity } from '../../core/contract/statement.ts';
import { ledgerFilters } from '../../core/entities/ledger-filters.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { type Command, command } from '../command/command.ts';
import { download, fileArgument } from '../command/download.ts';
import { fieldFlag } from '../command/field-flag.ts';
import { filterFlags } from '../command/filter-flags.ts';
import { pageFlags } from '../command/paging.ts';
import { userFlag } from '../command/user-flag.ts';
import { ledgerColumns } from '../show/columns.ts';
import type { Output } from '../show/output.ts';
import { printTable, type View } from '../show/table.ts';
import { verifyCommands } from './ledger-verify.ts';

const { ledger, statement } = api;

export const ledgerCommands: readonly Command[] = [
  ...verifyCommands,
  command({
    name: 'ledger list',
    summary: { en: 'List postings, newest first', zh: '列出账本条目，新的在前' },
    flags: [...pageFlags(1), ...filterFlags(ledger.list, ledgerFilters)],
    calls: ledger.list,
    columns: ledgerColumns,
  }),
  command({
    name: 'ledger statement',
    summary: {
      en: 'Why a balance is what it is: the postings of a month',
      zh: '余额从何而来：某月的账本汇总',
    },
    details: {
      en: 'Prints sums by kind; with a file or --csv, the postings of the month as CSV.',
      zh: '输出按类别的合计；给出文件或 --csv 时，输出当月账本的 CSV。',
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
      return {
        json: found,
        print: async (output, view) => printStatement(output, found, await view()),
      };
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
      {
        title: { en: 'amount', zh: '金额' },
        value: (row) => view.money.cost(row.amount),
        align: 'right',
      },
    ],
    rows,
    view,
  );
}

const texts = {
  opening: { en: 'opening balance', zh: '期初余额' },
  closing: { en: 'closing balance', zh: '期末余额' },
  unexplained: { en: 'not explained by postings', zh: '账本中没有的变动' },
} as const;
