/** `turnpike tokens …`: tokens of all users, for administrators (docs/rules/command-line.md#secret-input). */
import { api } from '../../core/contract/index.ts';
import { tokenStatuses } from '../../core/vocabulary/statuses.ts';
import type { Flag } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import { type Command, type Context, command, done, idArgument, type Outcome } from '../command/command.ts';
import { pageFlags, readTime } from '../command/common-flags.ts';
import { fieldFlag } from '../command/field-flag.ts';
import { tokenColumns } from '../show/columns.ts';
import { printCard } from '../show/table.ts';

const { userTokens } = api;
const call = userTokens.create;

const tokenFlags: readonly Flag[] = [
  fieldFlag(call, 'name', { en: 'Name', zh: '名称' }),
  fieldFlag(call, 'remain_quota', { en: 'Quota', zh: '额度' }, { name: 'quota' }),
  fieldFlag(
    call,
    'unlimited_quota',
    { en: "Unlimited quota (the user's balance still applies)", zh: '无限额度（仍受用户余额限制）' },
    { name: 'unlimited' },
  ),
  fieldFlag(
    call,
    'expired_time',
    { en: 'Expiry time (default: never)', zh: '过期时间（默认永不过期）' },
    {
      name: 'expires',
      kind: 'text',
      placeholder: 'DATE|never',
      read: (text) => (text === 'never' ? -1 : readTime('expires', text)),
    },
  ),
  fieldFlag(
    call,
    'model_limits',
    { en: "Only these models, comma-separated; '' for all", zh: '仅限这些模型，以逗号分隔；空值为不限' },
    { name: 'models', placeholder: 'A,B' },
  ),
  fieldFlag(
    call,
    'allow_ips',
    { en: 'Only these IP addresses or ranges, comma-separated', zh: '仅限这些 IP 或网段，以逗号分隔' },
    {
      placeholder: 'A,B',
      read: (text) =>
        text
          .split(',')
          .map((one) => one.trim())
          .filter(Boolean)
          .join('\n'),
    },
  ),
  fieldFlag(call, 'group', { en: "Group (default: the user's group)", zh: '分组（默认为用户的分组）' }),
];

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
  const input = tokenInput(context) as { name?: string };
  const { name } = input;
  if (name === undefined) throw new UsageError(texts.nameRequired);
  if (!context.values.has('quota') && !context.values.on('unlimited')) throw new UsageError(texts.quotaOrUnlimited);
  const created = await context.call(call, { ...input, name });
  const key = `sk-${created.key}`;
  return {
    json: { id: created.id, key },
    async print(output, view) {
      printCard(output, tokenColumns, { ...created, key }, await view());
      output.note(texts.once, {}, 'warn');
    },
  };
}

function switchTo(verb: 'enable' | 'disable', status: number, summary: Text, message: Text): Command {
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
    summary: { en: 'List the tokens of all users; keys are masked', zh: '列出所有用户的令牌（密钥已隐藏）' },
    flags: [
      ...pageFlags(1),
      fieldFlag(userTokens.list, 'user_id', { en: 'Only this user', zh: '仅此用户' }, { name: 'user', placeholder: 'ID' }),
      fieldFlag(userTokens.list, 'keyword', { en: 'Part of the name', zh: '名称包含' }),
    ],
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
      fieldFlag(call, 'user', { en: 'Owner (default: yourself)', zh: '所属用户（默认本人）' }, { placeholder: 'ID|NAME' }),
      ...tokenFlags,
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
      if (Object.keys(input).length === 0) throw new UsageError(texts.nothing);
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
];

const texts = {
  nameRequired: { en: '--name is required', zh: '缺少 --name' },
  quotaOrUnlimited: { en: 'Use either --quota or --unlimited', zh: '请使用 --quota 或 --unlimited 之一' },
  once: { en: 'Save the key now: it is not shown again', zh: '请立即保存密钥，之后不再显示' },
  nothing: { en: 'Nothing to change: use at least one flag', zh: '没有要修改的内容：请至少使用一个选项' },
  changed: { en: 'Updated token {id}', zh: '令牌 {id} 已修改' },
} as const;
