/** `turnpike redemptions …` (docs/rules/payments.md#redemption-codes). */
import { api } from '../../core/contract/index.ts';
import { redemptionFields } from '../../core/entities/redemption.ts';
import { redemptionFilters } from '../../core/entities/redemption-filters.ts';
import { redemptionStatuses } from '../../core/vocabulary/statuses.ts';
import type { Text } from '../base/text.ts';
import { nothingToChange } from '../base/usage-error.ts';
import { type Command, command, done, idArgument, listed } from '../command/command.ts';
import { entityFlags } from '../command/field-flag.ts';
import { filterFlags } from '../command/filter-flags.ts';
import { pageFlags, readRows } from '../command/paging.ts';
import { redemptionColumns } from '../show/columns.ts';
import { redemptionBatchCommand } from './redemption-batch.ts';

const { redemption } = api;

function switchTo(
  verb: 'enable' | 'disable',
  status: number,
  summary: Text,
  message: Text,
): Command {
  return command({
    name: `redemptions ${verb}`,
    summary,
    arguments: [idArgument],
    async run(context) {
      const id = Number(context.arguments.id);
      return done(
        message,
        { id },
        await context.call(redemption.update, { id, status, status_only: true }),
      );
    },
  });
}

export const redemptionCommands: readonly Command[] = [
  command({
    name: 'redemptions list',
    summary: { en: 'List redemption codes', zh: '列出兑换码' },
    flags: [...pageFlags(1), ...filterFlags(redemption.search, redemptionFilters)],
    async run(context) {
      return listed(
        await readRows(context, (input) => context.call(redemption.search, input)),
        redemptionColumns,
      );
    },
  }),
  command({
    name: 'redemptions show',
    summary: { en: 'Show a redemption code', zh: '查看兑换码' },
    arguments: [idArgument],
    calls: redemption.get,
    columns: redemptionColumns,
  }),
  redemptionBatchCommand,
  command({
    name: 'redemptions edit',
    summary: { en: 'Edit an unused redemption code', zh: '修改未使用的兑换码' },
    arguments: [idArgument],
    flags: entityFlags(redemption.update, redemptionFields),
    async run(context) {
      const id = Number(context.arguments.id);
      const input = context.values.input();
      if (Object.keys(input).length === 0) throw nothingToChange();
      return done(texts.changed, { id }, await context.call(redemption.update, { ...input, id }));
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
    name: 'redemptions redeem',
    summary: {
      en: 'Redeem a code for the account that commands act as',
      zh: '为命令使用的账号兑换兑换码',
    },
    arguments: [
      {
        name: 'code',
        kind: 'text',
        summary: { en: 'The code, or - for standard input', zh: '兑换码，- 表示标准输入' },
      },
    ],
    async run(context) {
      const { code = '' } = context.arguments;
      const quota = await context.call(api.wallet.redeem, {
        key: code === '-' ? await context.terminal.readAll('-') : code,
      });
      return done(texts.redeemed, { quota }, { quota });
    },
  }),
  command({
    name: 'redemptions delete',
    summary: { en: 'Delete a redemption code', zh: '删除兑换码' },
    arguments: [idArgument],
    confirmation: { en: 'Delete redemption code {id}?', zh: '删除兑换码 {id}？' },
    calls: redemption.remove,
    done: { en: 'Deleted redemption code {id}', zh: '兑换码 {id} 已删除' },
  }),
  command({
    name: 'redemptions delete-invalid',
    summary: {
      en: 'Delete used, disabled and expired redemption codes',
      zh: '删除已使用、已停用和已过期的兑换码',
    },
    confirmation: {
      en: 'Delete all used, disabled and expired codes?',
      zh: '删除全部已使用、已停用和已过期的兑换码？',
    },
    async run(context) {
      const count = await context.call(redemption.removeInvalid, {});
      return done(texts.removed, { count }, { count });
    },
  }),
];

const texts = {
  changed: { en: 'Updated redemption code {id}', zh: '兑换码 {id} 已修改' },
  redeemed: { en: 'Added {quota} quota', zh: '已充值 {quota} 额度' },
  removed: { en: 'Deleted {count} {count:code|codes}', zh: '已删除 {count} 个兑换码' },
} as const;
