/**
 * `turnpike tokens …`: tokens of all users, for administrators
 * (docs/rules/command-line.md#secret-input).
 */
import { api } from '../../core/contract/index.ts';
import { tokenFields } from '../../core/entities/token.ts';
import { tokenFilters } from '../../core/entities/token-filters.ts';
import { tokenStatuses } from '../../core/vocabulary/statuses.ts';
import { requiring } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { nothingToChange, UsageError } from '../base/usage-error.ts';
import {
  type Command,
  type Context,
  command,
  done,
  idArgument,
  type Outcome,
} from '../command/command.ts';
import { entityFlags, fieldFlag } from '../command/field-flag.ts';
import { filterFlags } from '../command/filter-flags.ts';
import { pageFlags } from '../command/paging.ts';
import { tokenColumns } from '../show/columns.ts';
import { printCard } from '../show/table.ts';
import { tokenBulkCommand } from './bulk.ts';

const { userTokens } = api;
const call = userTokens.create;

const tokenFlags = entityFlags(call, tokenFields);

/** Flags as API fields. A list of models enables the model limit, an empty one disables it. */
function tokenInput(context: Context): Record<string, unknown> {
  const { values } = context;
  if (values.has('quota') && values.on('unlimited')) throw new UsageError(texts.quotaOrUnlimited);
  const models = values.text('models');
  return {
    ...values.input(),
    ...(values.has('quota') ? { unlimited_quota: false } : {}),
    ...(models === undefined ? {} : { model_limits_enabled: models !== '' }),
  };
}

async function addToken(context: Context): Promise<Outcome> {
  const input = tokenInput(context) as { name: string };
  if (!context.values.has('quota') && !context.values.on('unlimited'))
    throw new UsageError(texts.quotaOrUnlimited);
  const created = await context.call(call, input);
  const key = `sk-${created.key}`;
  return {
    json: { id: created.id, key },
    async print(output, view) {
      printCard(output, tokenColumns, { ...created, key }, await view());
      output.note(texts.once, {}, 'warn');
    },
  };
}

function switchTo(
  verb: 'enable' | 'disable',
  status: number,
  summary: Text,
  message: Text,
): Command {
  return command({
    name: `tokens ${verb}`,
    summary,
    arguments: [idArgument],
    async run(context) {
      const id = Number(context.arguments.id);
      return done(message, { id }, await context.call(userTokens.update, { id, status }));
    },
  });
}

export const tokenCommands: readonly Command[] = [
  command({
    name: 'tokens list',
    summary: {
      en: 'List the tokens of all users; keys are masked',
      zh: '列出所有用户的令牌（密钥已隐藏）',
    },
    flags: [...pageFlags(1), ...filterFlags(userTokens.list, tokenFilters)],
    calls: userTokens.list,
    columns: tokenColumns,
  }),
  command({
    name: 'tokens show',
    summary: { en: 'Show a token; the key is masked', zh: '查看令牌（密钥已隐藏）' },
    arguments: [idArgument],
    calls: userTokens.get,
    columns: tokenColumns,
  }),
  command({
    name: 'tokens add',
    summary: { en: 'Create a token; its key is shown only once', zh: '新建令牌；密钥仅显示一次' },
    flags: [
      fieldFlag(
        call,
        'user',
        {
          en: 'Owner (default: yourself); a number is an id',
          zh: '所属用户（默认本人）；数字视为编号',
        },
        { placeholder: 'ID|NAME' },
      ),
      ...requiring(tokenFlags, 'name'),
    ],
    run: addToken,
  }),
  command({
    name: 'tokens edit',
    summary: { en: 'Edit a token', zh: '修改令牌' },
    arguments: [idArgument],
    flags: tokenFlags,
    async run(context) {
      const id = Number(context.arguments.id);
      const input = tokenInput(context);
      if (Object.keys(input).length === 0) throw nothingToChange();
      return done(texts.changed, { id }, await context.call(userTokens.update, { ...input, id }));
    },
  }),
  switchTo(
    'enable',
    tokenStatuses.enabled,
    { en: 'Enable a token', zh: '启用令牌' },
    { en: 'Enabled token {id}', zh: '令牌 {id} 已启用' },
  ),
  switchTo(
    'disable',
    tokenStatuses.disabled,
    { en: 'Disable a token', zh: '停用令牌' },
    { en: 'Disabled token {id}', zh: '令牌 {id} 已停用' },
  ),
  command({
    name: 'tokens delete',
    summary: { en: 'Delete a token', zh: '删除令牌' },
    arguments: [idArgument],
    confirmation: { en: 'Delete token {id}?', zh: '删除令牌 {id}？' },
    calls: userTokens.remove,
    done: { en: 'Deleted token {id}', zh: '令牌 {id} 已删除' },
  }),
  tokenBulkCommand,
];

const texts = {
  quotaOrUnlimited: {
    en: 'Use either --quota or --unlimited',
    zh: '请使用 --quota 或 --unlimited 之一',
  },
  once: { en: 'Save the key now: it is not shown again', zh: '请立即保存密钥，之后不再显示' },
  changed: { en: 'Updated token {id}', zh: '令牌 {id} 已修改' },
} as const;
