/** `turnpike users …` (docs/rules/accounts.md#user-administration). */
import { api } from '../../core/contract/index.ts';
import { userFields } from '../../core/entities/user.ts';
import { userFilters } from '../../core/entities/user-filters.ts';
import { roles } from '../../core/vocabulary/roles.ts';
import type { Flag } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { nothingToChange, UsageError } from '../base/usage-error.ts';
import {
  type Command,
  type Context,
  command,
  done,
  idArgument,
  listed,
} from '../command/command.ts';
import { downloadCsv, fileArgument } from '../command/download.ts';
import { entityFlags, fieldFlag } from '../command/field-flag.ts';
import { filterFlags } from '../command/filter-flags.ts';
import { pageFlags, readRows } from '../command/paging.ts';
import { readSecret } from '../command/secret-input.ts';
import { userColumns } from '../show/columns.ts';
import { userBulkCommand } from './bulk.ts';

const { user, secondFactor, self } = api;
const roleNumbers: Readonly<Record<string, number>> = { user: roles.user, admin: roles.admin };

const filters: readonly Flag[] = [
  ...filterFlags(user.search, userFilters),
  fieldFlag(user.search, 'sort', {
    en: 'Sort by this figure, the largest first (default id)',
    zh: '按此项排序，从大到小（默认 id）',
  }),
  fieldFlag(
    user.search,
    'ascending',
    { en: 'The smallest first', zh: '从小到大' },
    { kind: 'switch' },
  ),
];

// Quota and role have commands of their own.
const { quota: _quota, role: _role, ...editedFields } = userFields;
const passwordFlag: Flag = {
  name: 'password-stdin',
  kind: 'switch',
  summary: {
    en: 'Read the password from standard input (or TURNPIKE_PASSWORD)',
    zh: '从标准输入读取密码（或用 TURNPIKE_PASSWORD）',
  },
};

function manage(
  action: 'promote' | 'demote' | 'disable' | 'enable',
  summary: Text,
  message: Text,
): Command {
  return command({
    name: `users ${action}`,
    summary,
    arguments: [idArgument],
    async run(context) {
      const id = Number(context.arguments.id);
      return done(message, { id }, await context.call(user.manage, { id, action }));
    },
  });
}

async function changeQuota(context: Context) {
  const id = Number(context.arguments.id);
  const added = context.values.integer('add');
  const newQuota = context.values.integer('set');
  if ((added === undefined) === (newQuota === undefined)) throw new UsageError(texts.addOrSet);
  const { quota: base } = await context.call(user.get, { id });
  // With the base the server applies the difference, so quota spent in the meantime is not lost
  // (docs/rules/accounts.md#quota-edits).
  await context.call(user.update, { id, quota: newQuota ?? base + (added ?? 0), quota_base: base });
  const changed = await context.call(user.get, { id });
  return done(texts.quotaChanged, { id, before: base, after: changed.quota }, changed);
}

export const userCommands: readonly Command[] = [
  command({
    name: 'users list',
    summary: { en: 'List users', zh: '列出用户' },
    flags: [...pageFlags(1), ...filters],
    async run(context) {
      const list = filters.some(({ name }) => context.values.has(name)) ? user.search : user.list;
      return listed(await readRows(context, (input) => context.call(list, input)), userColumns);
    },
  }),
  command({
    name: 'users export',
    summary: {
      en: 'Export users as CSV, amounts in quota',
      zh: '将用户导出为 CSV，金额以额度为单位',
    },
    arguments: [fileArgument],
    flags: filters,
    run: (context) => downloadCsv(context, () => context.call(user.export, context.values.input())),
  }),
  command({
    name: 'users show',
    summary: { en: 'Show a user', zh: '查看用户' },
    arguments: [idArgument],
    calls: user.get,
    columns: userColumns,
  }),
  command({
    name: 'users add',
    summary: { en: 'Add a user', zh: '添加用户' },
    flags: [
      ...entityFlags(user.create, userFields, {
        username: { required: true },
        role: {
          kind: 'text',
          choices: Object.keys(roleNumbers),
          read: (text) => roleNumbers[text],
        },
      }),
      passwordFlag,
    ],
    async run(context) {
      const input = context.values.input() as { username: string };
      const password = await readSecret(context, 'password', texts.password);
      const created = await context.call(user.create, { ...input, password });
      return done(texts.added, { id: created.id, name: input.username }, created);
    },
  }),
  command({
    name: 'users edit',
    summary: { en: 'Edit a user', zh: '修改用户' },
    arguments: [idArgument],
    // Not from TURNPIKE_PASSWORD: one that is set for something else would become the user's.
    flags: [
      ...entityFlags(user.update, editedFields),
      {
        ...passwordFlag,
        summary: { en: 'Read a new password from standard input', zh: '从标准输入读取新密码' },
      },
    ],
    async run(context) {
      const id = Number(context.arguments.id);
      const password = context.values.on('password-stdin')
        ? await context.terminal.readAll('--password-stdin')
        : undefined;
      const input = context.values.input();
      if (Object.keys(input).length === 0 && password === undefined) throw nothingToChange();
      const secret = password === undefined ? {} : { password };
      await context.call(user.update, { ...input, id, ...secret });
      return done(texts.changed, { id }, await context.call(user.get, { id }));
    },
  }),
  manage(
    'enable',
    { en: 'Unban a user', zh: '解封用户' },
    { en: 'Unbanned user {id}', zh: '用户 {id} 已解封' },
  ),
  manage(
    'disable',
    { en: 'Ban a user', zh: '封禁用户' },
    { en: 'Banned user {id}', zh: '用户 {id} 已封禁' },
  ),
  manage(
    'promote',
    { en: 'Promote a user to admin', zh: '将用户提升为管理员' },
    { en: 'User {id} is now an admin', zh: '用户 {id} 已提升为管理员' },
  ),
  manage(
    'demote',
    { en: 'Demote an admin to normal user', zh: '将管理员降为普通用户' },
    { en: 'User {id} is now a normal user', zh: '用户 {id} 已降为普通用户' },
  ),
  command({
    name: 'users sign-out',
    summary: { en: 'Sign a user out everywhere', zh: '让用户在所有设备上退出登录' },
    details: {
      en: 'Ends every browser session of the user. API tokens and the system access token stay valid.',
      zh: '结束用户的所有浏览器会话。令牌和系统访问令牌仍然有效。',
    },
    arguments: [idArgument],
    async run(context) {
      const id = Number(context.arguments.id);
      const result = await context.call(api.session.endOf, { id });
      return done(texts.signedOut, { id, count: result.ended }, { id, ...result });
    },
  }),
  command({
    name: 'users delete',
    summary: {
      en: 'Deactivate a user for good, or remove the account',
      zh: '永久注销用户，或删除账号',
    },
    details: {
      en: 'A deactivated user can no longer sign in or use tokens, and stays listed. --remove deletes the account with its tokens. Usage logs and ledger entries stay either way.',
      zh: '注销后用户不能再登录或使用令牌，但仍在列表中。--remove 会删除账号及其令牌。两种方式都会保留日志和账本。',
    },
    arguments: [idArgument],
    flags: [
      { name: 'remove', kind: 'switch', summary: { en: 'Remove the account', zh: '删除账号' } },
    ],
    confirmation: {
      en: 'Delete user {id}? This cannot be undone.',
      zh: '删除用户 {id}？此操作无法撤销。',
    },
    async run(context) {
      const id = Number(context.arguments.id);
      if (context.values.on('remove')) {
        await context.call(user.remove, { id });
        return done(texts.removed, { id }, { id });
      }
      return done(
        texts.deactivated,
        { id },
        await context.call(user.manage, { id, action: 'delete' }),
      );
    },
  }),
  command({
    name: 'users reset-factors',
    summary: {
      en: 'Remove the second factors of a user who has lost them',
      zh: '为丢失设备的用户重置两步验证',
    },
    details: {
      en: 'Removes authenticator app, passkeys and recovery codes, and ends all logins of the user. The password stays.',
      zh: '移除身份验证器应用、通行密钥和恢复码，并退出该用户的所有登录。密码不变。',
    },
    arguments: [idArgument],
    confirmation: {
      en: 'Remove all second factors of user {id}?',
      zh: '移除用户 {id} 的全部两步验证方式？',
    },
    async run(context) {
      const id = Number(context.arguments.id);
      await context.call(secondFactor.reset, { id });
      return done(texts.factorsReset, { id }, { id });
    },
  }),
  command({
    name: 'users self',
    summary: { en: 'Show the account that commands act as', zh: '查看命令使用的账号' },
    calls: self.get,
    columns: userColumns,
  }),
  command({
    name: 'users access-token',
    summary: {
      en: 'Create a system access token for the account that commands act as',
      zh: '为命令使用的账号创建系统访问令牌',
    },
    details: {
      en: 'It is printed once, for --access-token and `turnpike profiles save`. An account has one: the previous one is revoked.',
      zh: '只输出一次，供 --access-token 和 turnpike profiles save 使用。每个账号只有一个，原有的会失效。',
    },
    confirmation: {
      en: 'Create a system access token? The previous one is revoked.',
      zh: '创建系统访问令牌？原有令牌会失效。',
    },
    async run(context) {
      const token = await context.call(self.systemToken, {});
      return { json: { access_token: token }, print: (output) => output.line(token) };
    },
  }),
  command({
    name: 'users quota',
    summary: { en: "Change a user's quota", zh: '修改用户额度' },
    details: {
      en: 'Quota is an integer; by default 500,000 quota are 1 dollar. --add may be negative.',
      zh: '额度为整数，默认 500,000 额度等于 1 美元。--add 可为负数。',
    },
    arguments: [idArgument],
    flags: [
      { name: 'add', kind: 'integer', summary: { en: 'Quota to add', zh: '增加的额度' } },
      { name: 'set', kind: 'integer', summary: { en: 'New quota', zh: '新的额度' } },
    ],
    run: changeQuota,
  }),
  userBulkCommand,
];

const texts = {
  password: { en: 'Password', zh: '密码' },
  signedOut: {
    en: 'Signed user {id} out of {count} {count:session|sessions}',
    zh: '用户 {id} 已退出 {count} 个会话',
  },
  deactivated: { en: 'Deactivated user {id}', zh: '用户 {id} 已注销' },
  factorsReset: { en: 'Removed all second factors of user {id}', zh: '已重置用户 {id} 的两步验证' },
  removed: { en: 'Removed user {id}', zh: '用户 {id} 已删除' },
  added: { en: 'Added user {id} ({name})', zh: '已添加用户 {id}（{name}）' },
  changed: { en: 'Updated user {id}', zh: '用户 {id} 已修改' },
  addOrSet: { en: 'Use either --add or --set', zh: '请使用 --add 或 --set 之一' },
  quotaChanged: {
    en: 'Quota of user {id}: {before}, now {after}',
    zh: '用户 {id} 的额度：原为 {before}，现为 {after}',
  },
} as const;
