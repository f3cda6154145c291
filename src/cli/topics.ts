/**
 * The first argument of a command line. The commands of a topic are only loaded when needed, so
 * that help and version are fast.
 */

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
    summary: { en: 'Start the gateway (default command)', zh: '启动网关（默认命令）' },
    load: async () => (await import('./commands/serve.ts')).serveCommands,
  },
  {
    name: 'setup',
    summary: {
      en: 'Set up a new gateway: super admin, site name, mode',
      zh: '初始化网关：超级管理员、站点名称、使用模式',
    },
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
    summary: { en: 'Channels to upstream providers', zh: '渠道' },
    load: async () => (await import('./commands/channels/index.ts')).channelCommands,
  },
  {
    name: 'tokens',
    alias: 'token',
    summary: { en: 'Tokens (sk- keys) and their limits', zh: '令牌' },
    load: async () => (await import('./commands/tokens.ts')).tokenCommands,
  },
  {
    name: 'budgets',
    alias: 'budget',
    summary: { en: 'Budgets: how much may be spent, by whom and when', zh: '预算' },
    load: async () => (await import('./commands/budgets.ts')).budgetCommands,
  },
  {
    name: 'redemptions',
    alias: 'redemption',
    summary: { en: 'Redemption codes', zh: '兑换码' },
    load: async () => (await import('./commands/redemptions.ts')).redemptionCommands,
  },
  {
    name: 'prices',
    summary: { en: 'Prices that follow a source', zh: '跟随来源的价格' },
    load: async () => (await import('./commands/price-sync.ts')).priceSyncCommands,
  },
  {
    name: 'topups',
    alias: 'topup',
    summary: { en: 'Online top-ups', zh: '在线充值' },
    load: async () => (await import('./commands/topups.ts')).topUpCommands,
  },
  {
    name: 'options',
    alias: 'option',
    summary: { en: 'Site options', zh: '站点设置项' },
    load: async () => (await import('./commands/options.ts')).optionCommands,
  },
  {
    name: 'config',
    summary: { en: 'The site as a configuration file', zh: '以配置文件管理站点' },
    load: async () => (await import('./commands/config/index.ts')).configCommands,
  },
  {
    name: 'logs',
    alias: 'log',
    summary: { en: 'Usage logs', zh: '使用日志' },
    load: async () => (await import('./commands/logs.ts')).logCommands,
  },
  {
    name: 'drawings',
    alias: 'drawing',
    summary: { en: 'Drawings (Midjourney)', zh: '绘图任务（Midjourney）' },
    load: async () => (await import('./commands/tasks.ts')).drawingCommands,
  },
  {
    name: 'tasks',
    alias: 'task',
    summary: { en: 'Tasks: music, lyrics, images, videos', zh: '任务：音乐、歌词、图片、视频' },
    load: async () => (await import('./commands/tasks.ts')).taskCommands,
  },
  {
    name: 'models',
    alias: 'model',
    summary: { en: 'Entries of the model list, and new models', zh: '模型广场的条目与新模型' },
    load: async () => (await import('./commands/models.ts')).modelCommands,
  },
  {
    name: 'pricing',
    summary: { en: 'Prices and the cost of requests', zh: '价格与费用计算' },
    load: async () => (await import('./commands/pricing/index.ts')).pricingCommands,
  },
  {
    name: 'route',
    alias: 'routes',
    summary: { en: 'How requests are routed to channels', zh: '请求的渠道选择' },
    load: async () => (await import('./commands/route.ts')).routeCommands,
  },
  {
    name: 'ledger',
    summary: { en: 'Ledger postings and verification of balances', zh: '账本：条目与余额核对' },
    load: async () => (await import('./commands/ledger.ts')).ledgerCommands,
  },
  {
    name: 'audit',
    summary: { en: 'Changes by administrators', zh: '管理员操作审计' },
    load: async () => (await import('./commands/audit.ts')).auditCommands,
  },
  {
    name: 'files',
    alias: 'file',
    summary: { en: 'Uploaded images and stored results', zh: '上传的图片与保存的结果' },
    load: async () => (await import('./commands/files.ts')).fileCommands,
  },
  {
    name: 'doctor',
    summary: {
      en: 'Find what is wrong with the site, and how to mend it',
      zh: '检查站点问题并给出解决办法',
    },
    load: async () => (await import('./commands/doctor/index.ts')).doctorCommands,
  },
  {
    name: 'jobs',
    alias: 'job',
    summary: { en: 'Background jobs', zh: '后台任务' },
    load: async () => (await import('./commands/jobs.ts')).jobCommands,
  },
  {
    name: 'nodes',
    alias: 'node',
    summary: { en: 'Gateways of the site', zh: '站点的网关' },
    load: async () => (await import('./commands/nodes.ts')).nodeCommands,
  },
  {
    name: 'import',
    summary: {
      en: 'Move a site of New API, One API, one-hub, sub2api or LiteLLM in',
      zh: '迁入 New API、One API、one-hub、sub2api 或 LiteLLM 站点',
    },
    load: async () => (await import('./commands/import.ts')).importCommands,
  },
  {
    name: 'backup',
    summary: { en: 'Back up the site into one file', zh: '将站点备份为一个文件' },
    load: async () => (await import('./commands/maintenance/backup.ts')).backupCommands,
  },
  {
    name: 'backups',
    summary: { en: 'Backups that the gateway makes', zh: '网关的自动备份' },
    load: async () => (await import('./commands/maintenance/backups.ts')).storedBackupCommands,
  },
  {
    name: 'restore',
    summary: { en: 'Restore a backup', zh: '恢复备份' },
    load: async () => (await import('./commands/maintenance/restore.ts')).restoreCommands,
  },
  {
    name: 'migrate',
    summary: {
      en: 'Bring the database to the schema of this version',
      zh: '将数据库迁移到当前版本的结构',
    },
    load: async () => (await import('./commands/maintenance/migrate.ts')).migrateCommands,
  },
  {
    name: 'upgrade',
    summary: {
      en: 'Upgrade the site to this version, or go back',
      zh: '将站点升级到当前版本，或退回',
    },
    load: async () => (await import('./commands/maintenance/upgrade.ts')).upgradeCommands,
  },
  {
    name: 'rotate-crypto',
    summary: {
      en: 'Encrypt all stored secrets with a new key',
      zh: '用新密钥重新加密所有已保存的秘密',
    },
    load: async () =>
      (await import('./commands/maintenance/rotate-crypto.ts')).rotateCryptoCommands,
  },
  {
    name: 'reset-root-password',
    summary: { en: 'Set a new password for the super admin', zh: '为超级管理员设置新密码' },
    load: async () =>
      (await import('./commands/maintenance/reset-root-password.ts')).resetRootPasswordCommands,
  },
  {
    name: 'service',
    summary: { en: 'The gateway as a service of systemd', zh: '作为 systemd 服务运行' },
    load: async () => (await import('./commands/service.ts')).serviceCommands,
  },
  {
    name: 'profiles',
    alias: 'profile',
    summary: { en: 'Saved remote gateways', zh: '已保存的远程网关' },
    load: async () => (await import('./commands/profiles.ts')).profileCommands,
  },
  {
    name: 'completion',
    summary: { en: 'Shell completion script', zh: 'Shell 补全脚本' },
    load: async () => (await import('./commands/completion.ts')).completionCommands,
  },
];

/** Loads all commands, for docs and completion. */
export async function loadAllCommands(): Promise<
  readonly { readonly topic: Topic; readonly commands: readonly Command[] }[]
> {
  return Promise.all(topics.map(async (topic) => ({ topic, commands: await topic.load() })));
}
