/** The first word of a command line. A topic's commands load only when it is used, so that help and version stay quick. */

import type { Text } from './base/text.ts';
import type { Command } from './command/command.ts';

export interface Topic {
  readonly name: string;
  readonly alias?: string;
  readonly summary: Text;
  load(): Promise<readonly Command[]>;
}

export const topics: readonly Topic[] = [
  {
    name: 'serve',
    summary: { en: 'Start the gateway (what `turnpike` alone does)', zh: '启动网关（直接运行 `turnpike` 即此命令）' },
    load: async () => (await import('./commands/serve.ts')).serveCommands,
  },
  {
    name: 'setup',
    summary: { en: 'Set a new gateway up: root user, name, use mode', zh: '初始化：超级管理员、站点名称、使用模式' },
    load: async () => (await import('./commands/setup.ts')).setupCommands,
  },
  {
    name: 'tui',
    summary: { en: 'Live screens in the terminal', zh: '终端实时界面' },
    load: async () => (await import('./commands/tui.ts')).tuiCommands,
  },
  {
    name: 'users',
    alias: 'user',
    summary: { en: 'Users and their quota', zh: '用户与额度' },
    load: async () => (await import('./commands/users.ts')).userCommands,
  },
  {
    name: 'channels',
    alias: 'channel',
    summary: { en: 'Connections to providers', zh: '渠道' },
    load: async () => (await import('./commands/channels/index.ts')).channelCommands,
  },
  {
    name: 'tokens',
    alias: 'token',
    summary: { en: 'sk- keys and their limits', zh: '令牌' },
    load: async () => (await import('./commands/tokens.ts')).tokenCommands,
  },
  {
    name: 'redemptions',
    alias: 'redemption',
    summary: { en: 'Redemption codes', zh: '兑换码' },
    load: async () => (await import('./commands/redemptions.ts')).redemptionCommands,
  },
  {
    name: 'options',
    alias: 'option',
    summary: { en: 'Settings of the site', zh: '站点设置' },
    load: async () => (await import('./commands/options.ts')).optionCommands,
  },
  {
    name: 'logs',
    alias: 'log',
    summary: { en: 'Usage logs', zh: '使用日志' },
    load: async () => (await import('./commands/logs.ts')).logCommands,
  },
  {
    name: 'pricing',
    summary: { en: 'What a request costs, and why', zh: '价格及其计算' },
    load: async () => (await import('./commands/pricing.ts')).pricingCommands,
  },
  {
    name: 'route',
    alias: 'routes',
    summary: { en: 'Which channel a request takes, and why', zh: '请求走哪个渠道及原因' },
    load: async () => (await import('./commands/route.ts')).routeCommands,
  },
  {
    name: 'ledger',
    summary: { en: 'Postings behind every balance', zh: '账本' },
    load: async () => (await import('./commands/ledger.ts')).ledgerCommands,
  },
  {
    name: 'profiles',
    alias: 'profile',
    summary: { en: 'Saved remote gateways', zh: '保存的远程网关' },
    load: async () => (await import('./commands/profiles.ts')).profileCommands,
  },
  {
    name: 'completion',
    summary: { en: 'Completion script for your shell', zh: '命令补全脚本' },
    load: async () => (await import('./commands/completion.ts')).completionCommands,
  },
];

/** All commands, for docs and completion. */
export async function loadAllCommands(): Promise<readonly { readonly topic: Topic; readonly commands: readonly Command[] }[]> {
  return Promise.all(topics.map(async (topic) => ({ topic, commands: await topic.load() })));
}
