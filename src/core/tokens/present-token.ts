import type { TokenEntity } from '../contract/entities.ts';
import type { Token } from '../storage/storage.ts';

/** In full to its owner only; elsewhere first and last four characters (docs/rules/accounts.md#token-keys). */
export function presentToken(token: Token, keys: 'whole' | 'masked'): TokenEntity {
  const key = token.key.reveal();
  return {
    id: token.id,
    user_id: token.userId,
    name: token.name,
    key: keys === 'whole' ? key : `${key.slice(0, 4)}****${key.slice(-4)}`,
    status: token.status,
    remain_quota: token.remainQuota,
    used_quota: token.usedQuota,
    unlimited_quota: token.unlimitedQuota,
    created_time: token.createdTime,
    accessed_time: token.accessedTime,
    expired_time: token.expiredTime,
    model_limits_enabled: token.modelLimitsEnabled,
    model_limits: token.modelLimits,
    allow_ips: token.allowIps,
    group: token.group,
  };
}
