/** `turnpike profiles …`: saved addresses and tokens of remote gateways. */

import type { Flag } from '../base/flags.ts';
import { UsageError } from '../base/usage-error.ts';
import { type Command, command, done } from '../command/command.ts';
import { readSecret } from '../command/secret-input.ts';
import { profilePath, readProfiles, writeProfiles } from '../connection/profiles.ts';

const nameArgument = { name: 'name', kind: 'text', summary: { en: 'Name of the profile', zh: '配置名称' } } as const;
const flags: readonly Flag[] = [
  { name: 'server', kind: 'text', placeholder: 'URL', required: true, summary: { en: 'Address of the gateway', zh: '网关地址' } },
  {
    name: 'access-token-stdin',
    kind: 'switch',
    summary: { en: 'Read the system access token from standard input', zh: '从标准输入读取系统访问令牌' },
  },
];

export const profileCommands: readonly Command[] = [
  command({
    name: 'profiles list',
    summary: { en: 'List saved gateways', zh: '列出已保存的网关' },
    local: true,
    async run(context) {
      const items = Object.entries(readProfiles(profilePath(context.environment))).map(([name, { server }]) => ({
        name,
        server,
      }));
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
      const { name = '' } = context.arguments;
      const server = context.values.text('server');
      if (server === undefined || !/^https?:\/\/[^/]/.test(server)) throw new UsageError(texts.server);
      const path = profilePath(context.environment);
      const access_token = await readSecret(context, 'access-token', texts.token);
      writeProfiles(path, { ...readProfiles(path), [name]: { server, access_token } });
      return done(texts.saved, { name }, { name, server });
    },
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
  server: { en: '--server: use http://… or https://…', zh: '--server：请使用 http://… 或 https://…' },
  token: { en: 'System access token', zh: '系统访问令牌' },
  saved: { en: 'Saved; use it with --profile {name}', zh: '已保存；使用 --profile {name}' },
  unknown: { en: 'No profile named {name}', zh: '没有名为 {name} 的配置' },
  deleted: { en: 'Deleted profile {name}', zh: '配置 {name} 已删除' },
} as const;
