/**
 * Sentences of the audit log that say more than the name of their action, for entries that have
 * what they name (docs/rules/security.md#audit-sentences).
 */
import type { AuditAction, Phrase } from './audit-actions.ts';
import { roles } from './roles.ts';
import { channelStatuses, redemptionStatuses, tokenStatuses } from './statuses.ts';

/** `{count}`: a value of the entry's detail by its name, `{count:one|many}` a form by it. */
export interface FullPhrase extends Phrase {
  /**
   * Only where the entry has this value, as a fact or as its one change; '' is the name where the
   * target itself changed.
   */
  readonly when?: readonly [name: string, value: string | number];
}

const { enabled, disabled } = channelStatuses;

/** The first that an entry has everything for is its sentence. */
export const auditPhrases: Partial<Readonly<Record<AuditAction, readonly FullPhrase[]>>> = {
  'user.create': [
    {
      when: ['role', roles.admin],
      en: 'added administrator {target}',
      zh: '添加了管理员 {target}',
    },
  ],
  'user.quota': [
    {
      en: 'changed the balance of user {target} from {from} to {to}',
      zh: '将用户 {target} 的余额从 {from} 改为 {to}',
    },
  ],
  'user.grant': [{ en: 'granted {quota} to user {target}', zh: '向用户 {target} 赠送了 {quota}' }],
  'user.transfer': [
    { en: 'transferred {quota} of invite earnings', zh: '划转了 {quota} 邀请收益' },
  ],
  'user.sign_out': [
    {
      en: 'ended {sessions} {sessions:session|sessions} of user {target}',
      zh: '结束了用户 {target} 的 {sessions} 个会话',
    },
  ],
  'channel.update': [
    {
      when: ['status', enabled],
      en: 'enabled {targets:channel|channels} {target}',
      zh: '启用了渠道 {target}',
    },
    {
      when: ['status', disabled],
      en: 'disabled {targets:channel|channels} {target}',
      zh: '停用了渠道 {target}',
    },
  ],
  'channel.copy': [
    { en: 'copied channel {from} to {target}', zh: '将渠道 {from} 复制为 {target}' },
  ],
  'channel.add_keys': [
    {
      en: 'added {count} {count:key|keys} to channel {target}',
      zh: '为渠道 {target} 添加了 {count} 个密钥',
    },
  ],
  'channel.disable_keys': [
    {
      en: 'disabled {count} {count:key|keys} of channel {target}',
      zh: '停用了渠道 {target} 的 {count} 个密钥',
    },
  ],
  'channel.enable_keys': [
    {
      en: 'enabled {count} {count:key|keys} of channel {target}',
      zh: '启用了渠道 {target} 的 {count} 个密钥',
    },
  ],
  'channel.remove_keys': [
    {
      en: 'deleted {count} {count:key|keys} of channel {target}',
      zh: '删除了渠道 {target} 的 {count} 个密钥',
    },
  ],
  'channel.remove_disabled': [
    {
      en: 'deleted {target} disabled {target:channel|channels}',
      zh: '删除了 {target} 个已停用的渠道',
    },
  ],
  'channel.assign_tag': [
    {
      when: ['target', ''],
      en: 'took the tag from {ids:channel|channels} {ids}',
      zh: '移除了渠道 {ids} 的标签',
    },
    {
      en: 'set the tag {target} on {ids:channel|channels} {ids}',
      zh: '将标签 {target} 设置给渠道 {ids}',
    },
  ],
  'token.create': [
    { en: 'created token {target} of user {owner}', zh: '为用户 {owner} 创建了令牌 {target}' },
  ],
  'token.update': [
    {
      when: ['status', tokenStatuses.enabled],
      en: 'enabled token {target} of user {owner}',
      zh: '启用了用户 {owner} 的令牌 {target}',
    },
    {
      when: ['status', tokenStatuses.disabled],
      en: 'disabled token {target} of user {owner}',
      zh: '停用了用户 {owner} 的令牌 {target}',
    },
    { en: 'edited token {target} of user {owner}', zh: '编辑了用户 {owner} 的令牌 {target}' },
  ],
  'token.remove': [
    { en: 'deleted token {target} of user {owner}', zh: '删除了用户 {owner} 的令牌 {target}' },
  ],
  'redemption.create': [
    {
      en: 'created {count} redemption {count:code|codes} {target}, {quota}{count:| each}',
      zh: '创建了 {count} 个兑换码 {target}，每个 {quota}',
    },
  ],
  'redemption.status': [
    {
      when: ['', redemptionStatuses.unused],
      en: 'enabled redemption code {target}',
      zh: '启用了兑换码 {target}',
    },
    {
      when: ['', redemptionStatuses.disabled],
      en: 'disabled redemption code {target}',
      zh: '停用了兑换码 {target}',
    },
  ],
  'redemption.remove_invalid': [
    {
      en: 'deleted {count} invalid redemption {count:code|codes}',
      zh: '删除了 {count} 个无效的兑换码',
    },
  ],
  'budget.grant': [
    { en: 'added {amount} to budget {target}', zh: '为预算 {target} 追加了 {amount}' },
  ],
  'topup.complete': [
    {
      en: 'completed order {target} by hand, which credited {quota}',
      zh: '手动补单 {target}，入账 {quota}',
    },
  ],
  'topup.refund': [
    { en: 'refunded ¥{money} of order {target}', zh: '为订单 {target} 退款 ¥{money}' },
  ],
  'log.prune': [
    { en: 'deleted {count} {count:row|rows} of old logs', zh: '删除了 {count} 行旧日志' },
  ],
  'log.archive': [
    {
      en: 'archived {count} {count:row|rows} of old logs in {target}',
      zh: '将 {count} 行旧日志归档到 {target}',
    },
  ],
  'log.restore': [
    {
      en: 'restored {count} {count:row|rows} from {target}',
      zh: '从 {target} 恢复了 {count} 行日志',
    },
  ],
  'files.clean': [
    { en: 'deleted {deleted} unused {deleted:file|files}', zh: '清理了 {deleted} 个无用文件' },
  ],
};
