/** `turnpike tokens …`: tokens of everybody, for administrators (design, product 8). */
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

const { turnpike } = api;
const call = turnpike.createToken;

const tokenFlags: readonly Flag[] = [
  fieldFlag(call, 'name', { en: 'Name', zh: '名称' }),
  fieldFlag(call, 'remain_quota', { en: 'Quota it may spend', zh: '可用额度' }, { name: 'quota' }),
  fieldFlag(
    call,
    'unlimited_quota',
    { en: "No limit but the user's balance", zh: '不限额度（仍受用户余额限制）' },
    { name: 'unlimited' },
  ),
  fieldFlag(
    call,
    'expired_time',
    { en: 'Last moment (default never)', zh: '到期时间（默认永不）' },
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
    { en: "Only these models, comma-separated; '' for all", zh: '仅限这些模型，以逗号分隔' },
    { name: 'models', placeholder: 'A,B' },
  ),
  fieldFlag(
    call,
    'allow_ips',
    { en: 'Only from these addresses or ranges, comma-separated', zh: '仅限这些 IP 或网段，以逗号分隔' },
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
  fieldFlag(call, 'group', { en: "Group instead of the user's", zh: '分组，默认随用户' }),
];

/** Flags as wire fields; a list of models switches the limit on, an empty one off. */
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
  const made = await context.call(call, { ...input, name });
  const key = `sk-${made.key}`;
  return {
    json: { id: made.id, key },
    async print(output, view) {
      printCard(output, tokenColumns, { ...made, key }, await view());
      output.note(texts.once, {}, 'warn');
    },
  };
}

function switchTo(verb: 'enable' | 'disable', status: number, summary: Text, said: Text): Command {
  return command({
    name: `tokens ${verb}`,
    summary,
    arguments: [idArgument],
    async run(context) {
      const id = Number(context.arguments.id);
      return done(said, { id }, await context.call(turnpike.updateToken, { id, status }));
    },
  });
}

export const tokenCommands: readonly Command[] = [
  command({
    name: 'tokens list',
    summary: { en: 'List tokens of everybody, keys masked', zh: '列出所有令牌（密钥已遮盖）' },
    flags: [
      ...pageFlags(1),
      fieldFlag(turnpike.tokens, 'user_id', { en: "Only this user's", zh: '仅此用户' }, { name: 'user', placeholder: 'ID' }),
      fieldFlag(turnpike.tokens, 'keyword', { en: 'In the name', zh: '匹配名称' }),
    ],
    calls: turnpike.tokens,
    columns: tokenColumns,
  }),
  command({
    name: 'tokens show',
    summary: { en: 'Show a token, key masked', zh: '查看令牌（密钥已遮盖）' },
    arguments: [idArgument],
    calls: turnpike.token,
    columns: tokenColumns,
  }),
  command({
    name: 'tokens add',
    summary: { en: 'Create a token; its key is printed this once', zh: '新建令牌；密钥只显示这一次' },
    flags: [
      fieldFlag(call, 'user', { en: 'Owner (default: yourself)', zh: '所属用户（默认本人）' }, { placeholder: 'ID|NAME' }),
      ...tokenFlags,
    ],
    run: addToken,
  }),
  command({
    name: 'tokens edit',
    summary: { en: 'Change a token', zh: '修改令牌' },
    arguments: [idArgument],
    flags: tokenFlags,
    async run(context) {
      const id = Number(context.arguments.id);
      const input = tokenInput(context);
      if (Object.keys(input).length === 0) throw new UsageError(texts.nothing);
      return done(texts.changed, { id }, await context.call(turnpike.updateToken, { ...input, id }));
    },
  }),
  switchTo(
    'enable',
    tokenStatuses.enabled,
    { en: 'Enable a token', zh: '启用令牌' },
    { en: 'Token {id} is on', zh: '令牌 {id} 已启用' },
  ),
  switchTo(
    'disable',
    tokenStatuses.disabled,
    { en: 'Disable a token', zh: '停用令牌' },
    { en: 'Token {id} is off', zh: '令牌 {id} 已停用' },
  ),
  command({
    name: 'tokens delete',
    summary: { en: 'Delete a token', zh: '删除令牌' },
    arguments: [idArgument],
    asks: { en: 'Delete token {id}?', zh: '删除令牌 {id}？' },
    calls: turnpike.removeToken,
    done: { en: 'Token {id} is deleted', zh: '令牌 {id} 已删除' },
  }),
];

const texts = {
  nameRequired: { en: '--name is required', zh: '缺少 --name' },
  quotaOrUnlimited: { en: 'Give either --quota or --unlimited', zh: '请给出 --quota 或 --unlimited 之一' },
  once: { en: 'Keep the key: it is not shown again', zh: '请保存密钥：之后不再显示' },
  nothing: { en: 'Nothing to change: give at least one flag', zh: '没有要修改的内容：请至少给出一个选项' },
  changed: { en: 'Token {id} is changed', zh: '令牌 {id} 已修改' },
} as const;
