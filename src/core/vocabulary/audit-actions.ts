/** What the audit log keeps, as people read it (docs/rules/security.md#audit-log). */
import { chooseForms } from '../kernel/text.ts';
import type { Language } from './languages.ts';

/**
 * What somebody did. `{target}`: what it was done to, with its name where the entry knows it;
 * `{targets:one|many}`: a form by the number of its targets.
 */
export type Phrase = Readonly<Record<Language, string>>;

/** By code; the part before the dot is what was acted on. */
export const auditActions = {
  'site.setup': { en: 'set up the site', zh: '完成了站点初始化' },
  'site.rotate_keys': {
    en: 'changed the key that encrypts secrets',
    zh: '更换了加密机密的密钥',
  },
  'user.create': { en: 'added user {target}', zh: '添加了用户 {target}' },
  'user.update': { en: 'edited user {target}', zh: '编辑了用户 {target}' },
  'user.quota': { en: 'adjusted the quota of user {target}', zh: '调整了用户 {target} 的额度' },
  'user.grant': { en: 'granted quota to user {target}', zh: '向用户 {target} 赠送了额度' },
  'user.promote': { en: 'made user {target} an administrator', zh: '将用户 {target} 提升为管理员' },
  'user.demote': {
    en: 'took administrator rights from user {target}',
    zh: '将用户 {target} 降为普通用户',
  },
  'user.disable': { en: 'banned user {target}', zh: '封禁了用户 {target}' },
  'user.enable': { en: 'unbanned user {target}', zh: '解封了用户 {target}' },
  'user.delete': { en: 'deactivated user {target}', zh: '注销了用户 {target}' },
  'user.remove': { en: 'deleted user {target}', zh: '删除了用户 {target}' },
  'user.remove_self': { en: 'deactivated their own account', zh: '注销了自己的账号' },
  'user.system_token': { en: 'made a system access token', zh: '生成了系统访问令牌' },
  'user.password': { en: 'changed their own password', zh: '修改了自己的密码' },
  'user.password_reset': {
    en: 'reset the password of user {target}',
    zh: '重置了用户 {target} 的密码',
  },
  'user.disavow': { en: 'said that a change was not their own', zh: '声明某项修改并非本人操作' },
  'user.transfer': { en: 'transferred invite earnings', zh: '划转了邀请收益' },
  'user.bind': {
    en: 'linked a way to sign in to user {target}',
    zh: '为用户 {target} 绑定了登录方式',
  },
  'user.unbind': {
    en: 'unlinked a way to sign in from user {target}',
    zh: '为用户 {target} 解绑了登录方式',
  },
  'user.phone_bind': {
    en: 'linked a phone number to user {target}',
    zh: '为用户 {target} 绑定了手机号',
  },
  'user.phone_unbind': {
    en: 'unlinked the phone number of user {target}',
    zh: '为用户 {target} 解绑了手机号',
  },
  'user.recovery_codes': { en: 'made new recovery codes', zh: '重新生成了恢复码' },
  'user.second_factor_add': { en: 'added a second factor', zh: '添加了两步验证方式' },
  'user.second_factor_remove': { en: 'removed a second factor', zh: '移除了两步验证方式' },
  'user.second_factor_reset': {
    en: 'removed the second factors of user {target}',
    zh: '重置了用户 {target} 的两步验证',
  },
  'user.sign_out': { en: 'signed user {target} out', zh: '让用户 {target} 退出了登录' },
  'channel.create': {
    en: 'created {targets:channel|channels} {target}',
    zh: '创建了渠道 {target}',
  },
  'channel.copy': { en: 'copied {targets:channel|channels} {target}', zh: '复制了渠道 {target}' },
  'channel.update': { en: 'edited {targets:channel|channels} {target}', zh: '编辑了渠道 {target}' },
  'channel.remove': {
    en: 'deleted {targets:channel|channels} {target}',
    zh: '删除了渠道 {target}',
  },
  'channel.add_keys': {
    en: 'added keys to channel {target}',
    zh: '为渠道 {target} 添加了密钥',
  },
  'channel.disable_keys': {
    en: 'disabled keys of channel {target}',
    zh: '停用了渠道 {target} 的密钥',
  },
  'channel.enable_keys': {
    en: 'enabled keys of channel {target}',
    zh: '启用了渠道 {target} 的密钥',
  },
  'channel.remove_keys': {
    en: 'deleted keys of channel {target}',
    zh: '删除了渠道 {target} 的密钥',
  },
  'channel.remove_disabled': { en: 'deleted the disabled channels', zh: '删除了已停用的渠道' },
  'channel.fix': { en: 'rebuilt the index of channels', zh: '重建了渠道索引' },
  'channel.edit_tag': {
    en: 'edited the channels of tag {target}',
    zh: '编辑了标签 {target} 下的渠道',
  },
  'channel.enable_tag': {
    en: 'enabled the channels of tag {target}',
    zh: '启用了标签 {target} 下的渠道',
  },
  'channel.disable_tag': {
    en: 'disabled the channels of tag {target}',
    zh: '停用了标签 {target} 下的渠道',
  },
  'channel.assign_tag': { en: 'set the tag {target}', zh: '设置了标签 {target}' },
  'token.create': { en: 'created token {target}', zh: '创建了令牌 {target}' },
  'token.update': { en: 'edited token {target}', zh: '编辑了令牌 {target}' },
  'token.remove': { en: 'deleted token {target}', zh: '删除了令牌 {target}' },
  'redemption.create': { en: 'created redemption codes {target}', zh: '创建了兑换码 {target}' },
  'redemption.update': { en: 'edited redemption code {target}', zh: '编辑了兑换码 {target}' },
  'redemption.status': {
    en: 'enabled or disabled redemption code {target}',
    zh: '启用或停用了兑换码 {target}',
  },
  'redemption.remove': { en: 'deleted redemption code {target}', zh: '删除了兑换码 {target}' },
  'redemption.remove_invalid': { en: 'deleted invalid redemption codes', zh: '删除了无效的兑换码' },
  'model.create': { en: 'added {target} to the model list', zh: '在模型广场添加了 {target}' },
  'model.update': { en: 'edited {target} in the model list', zh: '编辑了模型广场的 {target}' },
  'model.remove': { en: 'removed {target} from the model list', zh: '从模型广场删除了 {target}' },
  'option.set': { en: 'changed setting {target}', zh: '修改了设置 {target}' },
  'option.reset': { en: 'reset setting {target}', zh: '恢复了设置 {target} 的默认值' },
  'budget.create': { en: 'added budget {target}', zh: '添加了预算 {target}' },
  'budget.update': { en: 'edited budget {target}', zh: '编辑了预算 {target}' },
  'budget.delete': { en: 'deleted budget {target}', zh: '删除了预算 {target}' },
  'budget.grant': { en: 'let budget {target} go on', zh: '追加了预算 {target} 的额度' },
  'topup.complete': { en: 'completed order {target} by hand', zh: '手动补单 {target}' },
  'topup.refund': { en: 'refunded order {target}', zh: '退款订单 {target}' },
  'node.drain': { en: 'drained gateway {target}', zh: '停止向网关 {target} 分配请求' },
  'node.stop': { en: 'stopped gateway {target}', zh: '停止了网关 {target}' },
  'node.resume': { en: 'resumed gateway {target}', zh: '恢复了网关 {target}' },
  'log.prune': { en: 'deleted old logs', zh: '删除了旧日志' },
  'log.archive': { en: 'archived old logs in {target}', zh: '将旧日志归档到 {target}' },
  'log.restore': { en: 'restored logs from {target}', zh: '从 {target} 恢复了日志' },
  'files.clean': { en: 'deleted unused files', zh: '清理了无用文件' },
} as const satisfies Readonly<Record<`${string}.${string}`, Phrase>>;

export type AuditAction = keyof typeof auditActions;

const actions: Readonly<Record<string, Phrase>> = auditActions;

/** The areas of actions, in their order: `user`, `channel`. */
export const auditAreas: readonly string[] = [
  ...new Set(Object.keys(auditActions).map((action) => action.split('.')[0] ?? '')),
];

/** The name of an action alone: `Added user`. One that this release does not know is its code. */
export function auditActionName(action: string, language: Language): string {
  const phrase = actions[action]?.[language];
  if (phrase === undefined) return action;
  const one = chooseForms(phrase, { targets: 1 });
  const name = one.replace('{target}', '').replace(/ +/g, ' ').trim();
  return name.charAt(0).toUpperCase() + name.slice(1);
}
