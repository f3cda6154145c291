/** `turnpike redemptions …` (design, product 8; spec, console-api 7). */
import { api } from '../../core/contract/index.ts';
import { redemptionStatuses } from '../../core/vocabulary/statuses.ts';
import type { Text } from '../base/text.ts';
import { type Command, command, done, idArgument, listed, named } from '../command/command.ts';
import { pageFlags } from '../command/common-flags.ts';
import { fieldFlag } from '../command/field-flag.ts';
import { redemptionColumns } from '../show/columns.ts';

const { redemption } = api;

function switchTo(verb: 'enable' | 'disable', status: number, summary: Text, said: Text): Command {
  return command({
    name: `redemptions ${verb}`,
    summary,
    arguments: [idArgument],
    async run(context) {
      const id = Number(context.arguments.id);
      return done(said, { id }, await context.call(redemption.update, { id, status, status_only: true }));
    },
  });
}

export const redemptionCommands: readonly Command[] = [
  command({
    name: 'redemptions list',
    summary: { en: 'List redemption codes', zh: '列出兑换码' },
    flags: [...pageFlags(1), fieldFlag(redemption.search, 'keyword', { en: 'Id, or start of the name', zh: '匹配编号或名称' })],
    async run(context) {
      const call = context.values.has('keyword') ? redemption.search : redemption.list;
      return listed(await context.call(call, context.values.input()), redemptionColumns);
    },
  }),
  command({
    name: 'redemptions show',
    summary: { en: 'Show a code', zh: '查看兑换码' },
    arguments: [idArgument],
    calls: redemption.get,
    columns: redemptionColumns,
  }),
  command({
    name: 'redemptions batch',
    summary: { en: 'Make codes, printed one per line', zh: '批量生成兑换码，每行一个' },
    flags: [
      fieldFlag(redemption.create, 'count', { en: 'How many', zh: '数量' }, { required: true }),
      fieldFlag(redemption.create, 'quota', { en: 'Quota of each', zh: '每个的额度' }, { required: true }),
      fieldFlag(redemption.create, 'name', { en: 'Name they share', zh: '名称' }),
    ],
    async run(context) {
      // The wire demands a name (console-api 7); a script that gives none means "no matter which".
      const input = { name: 'batch', ...context.values.input() };
      return named(await context.call(redemption.create, input));
    },
  }),
  switchTo(
    'enable',
    redemptionStatuses.unused,
    { en: 'Enable a code', zh: '启用兑换码' },
    { en: 'Code {id} is on', zh: '兑换码 {id} 已启用' },
  ),
  switchTo(
    'disable',
    redemptionStatuses.disabled,
    { en: 'Disable a code', zh: '停用兑换码' },
    { en: 'Code {id} is off', zh: '兑换码 {id} 已停用' },
  ),
  command({
    name: 'redemptions delete',
    summary: { en: 'Delete a code', zh: '删除兑换码' },
    arguments: [idArgument],
    asks: { en: 'Delete code {id}?', zh: '删除兑换码 {id}？' },
    calls: redemption.remove,
    done: { en: 'Code {id} is deleted', zh: '兑换码 {id} 已删除' },
  }),
];
