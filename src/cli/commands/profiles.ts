/** `turnpike profiles …`: saved addresses and tokens of remote gateways. */

import type { Flag, Values } from '../base/flags.ts';
import { UsageError } from '../base/usage-error.ts';
import { type Command, type Context, command, done, type Outcome } from '../command/command.ts';
import { readSecret } from '../command/secret-input.ts';
import { isGatewayUrl } from '../connection/connect.ts';
import { profilePath, readProfiles, writeProfiles } from '../connection/profiles.ts';
import { createAccessToken } from '../connection/sign-in.ts';

const serverFlag: Flag = {
  name: 'server',
  kind: 'text',
  placeholder: 'URL',
  required: true,
  summary: { en: 'Address of the gateway', zh: '网关地址' },
};
const nameArgument = {
  name: 'name',
  kind: 'text',
  summary: { en: 'Name of the profile', zh: '配置名称' },
} as const;
const flags: readonly Flag[] = [
  serverFlag,
  {
    name: 'access-token-stdin',
    kind: 'switch',
    summary: {
      en: 'Read the system access token from standard input',
      zh: '从标准输入读取系统访问令牌',
    },
  },
];

/** Throws UsageError without an address, or for something else than one. */
function readServer(values: Values): string {
  const server = values.text('server');
  if (server === undefined || !isGatewayUrl(server)) throw new UsageError(texts.server);
  return server;
}

function save(context: Context, server: string, access_token: string): Outcome {
  const { name = '' } = context.arguments;
  const path = profilePath(context.environment);
  writeProfiles(path, { ...readProfiles(path), [name]: { server, access_token } });
  return done(texts.saved, { name }, { name, server });
}

async function logIn(context: Context): Promise<Outcome> {
  const { values, terminal, output } = context;
  const server = readServer(values);
  readProfiles(profilePath(context.environment)); // a damaged file is found before a token is made
  const username = values.text('username');
  if (username === undefined && !terminal.interactive) throw new UsageError(texts.username);
  const token = await createAccessToken(server, output.language, {
    username: username ?? (await terminal.ask(texts.askUsername, false)),
    password: await readSecret(context, 'password', texts.askPassword),
    async secondFactor() {
      const code = values.text('code');
      if (code === undefined && !terminal.interactive) throw new UsageError(texts.code);
      return code ?? terminal.ask(texts.askCode, false);
    },
    async mayReplace() {
      if (values.on('yes')) return;
      if (!terminal.interactive) throw new UsageError(texts.replaces);
      if (!(await terminal.confirm(texts.askReplace))) throw new UsageError(texts.kept);
    },
  });
  return save(context, server, token);
}

export const profileCommands: readonly Command[] = [
  command({
    name: 'profiles list',
    summary: { en: 'List saved gateways', zh: '列出已保存的网关' },
    local: true,
    async run(context) {
      const items = Object.entries(readProfiles(profilePath(context.environment))).map(
        ([name, { server }]) => ({
          name,
          server,
        }),
      );
      return {
        json: { items, total: items.length },
        print: (output) => {
          for (const { name, server } of items) output.line(`${name}  ${server}`);
        },
      };
    },
  }),
  command({
    name: 'profiles save',
    summary: { en: 'Save a gateway and its system access token', zh: '保存网关与系统访问令牌' },
    arguments: [nameArgument],
    flags,
    local: true,
    async run(context) {
      const server = readServer(context.values);
      return save(context, server, await readSecret(context, 'access-token', texts.token));
    },
  }),
  command({
    name: 'profiles login',
    summary: {
      en: 'Sign in to a gateway by password and save a new system access token',
      zh: '用密码登录网关，保存新的系统访问令牌',
    },
    details: {
      en: 'Creates a system access token for the account and ends the login again. An account has one such token: the previous one is revoked, which needs confirmation.',
      zh: '为该账号创建系统访问令牌，随后退出登录。每个账号只有一个系统访问令牌：原有令牌会失效，需要确认。',
    },
    arguments: [nameArgument],
    flags: [
      serverFlag,
      { name: 'username', kind: 'text', summary: { en: 'Username', zh: '用户名' } },
      {
        name: 'password-stdin',
        kind: 'switch',
        summary: {
          en: 'Read the password from standard input (or TURNPIKE_PASSWORD)',
          zh: '从标准输入读取密码（或用 TURNPIKE_PASSWORD）',
        },
      },
      {
        name: 'code',
        kind: 'text',
        placeholder: 'CODE',
        summary: {
          en: 'Code of the authenticator app, or a recovery code',
          zh: '身份验证器的验证码或恢复码',
        },
      },
    ],
    local: true,
    run: logIn,
  }),
  command({
    name: 'profiles delete',
    summary: { en: 'Delete a saved gateway', zh: '删除已保存的网关' },
    arguments: [nameArgument],
    local: true,
    async run(context) {
      const { name = '' } = context.arguments;
      const path = profilePath(context.environment);
      const { [name]: gone, ...rest } = readProfiles(path);
      if (gone === undefined) throw new UsageError(texts.unknown, { name });
      writeProfiles(path, rest);
      return done(texts.deleted, { name }, { name });
    },
  }),
];

const texts = {
  username: { en: '--username is required', zh: '缺少 --username' },
  askUsername: { en: 'Username', zh: '用户名' },
  askPassword: { en: 'Password', zh: '密码' },
  code: {
    en: 'This account has a second factor: give its code with --code',
    zh: '该账号已开启两步验证：请用 --code 给出验证码',
  },
  askCode: {
    en: 'Code of the authenticator app, or a recovery code',
    zh: '身份验证器的验证码或恢复码',
  },
  replaces: {
    en: 'The account has a system access token, which a new one revokes: add --yes',
    zh: '该账号已有系统访问令牌，新建后原有令牌会失效：请加 --yes',
  },
  askReplace: {
    en: 'The account has a system access token. Revoke it and create a new one?',
    zh: '该账号已有系统访问令牌。使其失效并新建？',
  },
  kept: { en: 'Nothing was changed', zh: '未做任何更改' },
  server: {
    en: '--server: use http://… or https://…',
    zh: '--server：请使用 http://… 或 https://…',
  },
  token: { en: 'System access token', zh: '系统访问令牌' },
  saved: { en: 'Saved; use it with --profile {name}', zh: '已保存；使用 --profile {name}' },
  unknown: { en: 'No profile named {name}', zh: '没有名为 {name} 的配置' },
  deleted: { en: 'Deleted profile {name}', zh: '配置 {name} 已删除' },
} as const;
