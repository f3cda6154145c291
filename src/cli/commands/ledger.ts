/**
 * `turnpike ledger …`: the proof that every balance is the sum of its postings (docs/rules/ledger.md#ledger-verify).
 */
import { api } from '../../core/contract/index.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { type Command, command, failedWith, type Outcome } from '../command/command.ts';
import { pageFlags } from '../command/common-flags.ts';
import { fieldFlag } from '../command/field-flag.ts';
import { ledgerColumns } from '../show/columns.ts';
import { printTable } from '../show/table.ts';

const { ledger } = api;

export const ledgerCommands: readonly Command[] = [
  command({
    name: 'ledger verify',
    summary: { en: 'Recompute every balance; exit code 1 on any difference', zh: '核对每个余额；有任何偏差时退出码为 1' },
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
    flags: [
      ...pageFlags(1),
      fieldFlag(ledger.list, 'user_id', { en: 'Only this user', zh: '仅此用户' }, { name: 'user', placeholder: 'ID' }),
    ],
    calls: ledger.list,
    columns: ledgerColumns,
  }),
];

const texts = {
  sound: { en: 'The ledger adds up: {users} users, {postings} postings', zh: '账目相符：{users} 个用户，{postings} 条账目' },
  drift: {
    en: 'The ledger does not add up: {users} users, {postings} postings',
    zh: '账目不符：{users} 个用户，{postings} 条账目',
  },
  holds: { en: '{holds} holds without a request', zh: '{holds} 笔预扣没有对应的请求' },
} as const;
