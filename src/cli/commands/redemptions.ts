/** `turnpike redemptions …` (docs/rules/payments.md#redemption-codes). */
import { api } from '../../core/contract/index.ts';
import { redemptionFields } from '../../core/entities/redemption.ts';
import { redemptionStatuses } from '../../core/vocabulary/statuses.ts';
import type { Text } from '../base/text.ts';
import { type Command, command, done, idArgument, listed, named } from '../command/command.ts';
import { pageFlags } from '../command/common-flags.ts';
import { entityFlags, fieldFlag } from '../command/field-flag.ts';
import { redemptionColumns } from '../show/columns.ts';

const { redemption } = api;

function switchTo(verb: 'enable' | 'disable', status: number, summary: Text, message: Text): Command {
  return command({
    name: `redemptions ${verb}`,
    summary,
    arguments: [idArgument],
    async run(context) {
      const id = Number(context.arguments.id);
      return done(message, { id }, await context.call(redemption.update, { id, status, status_only: true }));
    },
  });
}

export const redemptionCommands: readonly Command[] = [
  command({
    name: 'redemptions list',
    summary: { en: 'List redemption codes', zh: '列出兑换码' },
    flags: [...pageFlags(1), fieldFlag(redemption.search, 'keyword', { en: 'Id, or start of the name', zh: '编号，或名称开头' })],
    async run(context) {
      const call = context.values.has('keyword') ? redemption.search : redemption.list;
      return listed(await context.call(call, context.values.input()), redemptionColumns);
    },
  }),
  command({
    name: 'redemptions show',
    summary: { en: 'Show a redemption code', zh: '查看兑换码' },
    arguments: [idArgument],
    calls: redemption.get,
    columns: redemptionColumns,
  }),
  command({
    name: 'redemptions batch',
    summary: { en: 'Create redemption codes and print one per line', zh: '批量创建兑换码，每行输出一个' },
    flags: [
      fieldFlag(redemption.create, 'count', { en: 'Number of codes', zh: '数量' }, { required: true }),
      ...entityFlags(redemption.create, redemptionFields, { quota: { required: true } }),
    ],
    async run(context) {
      // The API requires a name (docs/rules/payments.md#redemption-codes); use a default if none is given.
      const input = { name: 'batch', ...context.values.input() };
      return named(await context.call(redemption.create, input));
    },
  }),
  switchTo(
    'enable',
    redemptionStatuses.unused,
    { en: 'Enable a redemption code', zh: '启用兑换码' },
    { en: 'Enabled redemption code {id}', zh: '兑换码 {id} 已启用' },
  ),
  switchTo(
    'disable',
    redemptionStatuses.disabled,
    { en: 'Disable a redemption code', zh: '停用兑换码' },
    { en: 'Disabled redemption code {id}', zh: '兑换码 {id} 已停用' },
  ),
  command({
    name: 'redemptions delete',
    summary: { en: 'Delete a redemption code', zh: '删除兑换码' },
    arguments: [idArgument],
    confirmation: { en: 'Delete redemption code {id}?', zh: '删除兑换码 {id}？' },
    calls: redemption.remove,
    done: { en: 'Deleted redemption code {id}', zh: '兑换码 {id} 已删除' },
  }),
];
