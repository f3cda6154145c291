import { maxAmount } from '../kernel/quota.ts';
import { defineFields } from './field.ts';

/** An `sk-` key with its limits. */
export const tokenFields = defineFields({
  id: { kind: 'integer', generated: true, label: { en: 'id', zh: '编号' } },
  user_id: { kind: 'integer', label: { en: 'user', zh: '用户' } },
  name: {
    kind: 'text',
    default: '',
    trim: true,
    limits: { min: 1, max: 50, error: 'name_too_long', empty: 'name_required' },
    input: { required: true },
    label: { en: 'name', zh: '名称' },
    help: { en: 'Name', zh: '名称' },
  },
  /**
   * 48 characters, without `sk-`. Shown in full to its owner only, elsewhere the first and last
   * four.
   */
  key: { kind: 'secret', masked: 'for-others', label: { en: 'key', zh: '密钥' } },
  /** HMAC-SHA-256 of the key, hex: how a key is looked up. */
  key_hash: { kind: 'text', hidden: true },
  status: { kind: 'integer', default: 1, label: { en: 'status', zh: '状态' } },
  /**
   * A balance, or for an unlimited token a counter that may go below zero. After the insert only
   * the ledger changes it.
   */
  remain_quota: {
    kind: 'quota',
    default: 0,
    limits: { min: -maxAmount, max: maxAmount, error: 'token_quota_invalid' },
    input: { initial: 500_000 },
    flag: 'quota',
    label: { en: 'balance', zh: '余额' },
    help: { en: 'Quota', zh: '额度' },
  },
  used_quota: { kind: 'quota', default: 0, label: { en: 'used', zh: '已用' } },
  unlimited_quota: {
    kind: 'flag',
    default: false,
    input: {},
    flag: 'unlimited',
    help: {
      en: "Unlimited quota (the user's balance still applies)",
      zh: '无限额度（仍受用户余额限制）',
    },
  },
  created_time: { kind: 'time', default: 0, label: { en: 'created', zh: '创建时间' } },
  accessed_time: { kind: 'time', default: 0, label: { en: 'last used', zh: '最近使用' } },
  expired_time: {
    kind: 'time',
    never: -1,
    default: -1,
    limits: { min: -1, error: 'expiry_invalid' },
    input: {},
    flag: 'expires',
    label: { en: 'expires', zh: '到期' },
    help: { en: 'Expiry time (default: never)', zh: '过期时间（默认永不过期）' },
  },
  model_limits_enabled: { kind: 'flag', default: false, input: {} },
  model_limits: {
    kind: 'list',
    separator: ',',
    default: '',
    input: {},
    flag: 'models',
    label: { en: 'models', zh: '模型' },
    help: {
      en: "Only these models, comma-separated; '' for all",
      zh: '仅限这些模型，以逗号分隔；空值为不限',
    },
  },
  /** Addresses or CIDR ranges. */
  allow_ips: {
    kind: 'list',
    separator: '\n',
    default: '',
    input: { nullable: true },
    label: { en: 'IP allowlist', zh: 'IP 白名单' },
    help: {
      en: 'Only these IP addresses or ranges, comma-separated',
      zh: '仅限这些 IP 或网段，以逗号分隔',
    },
  },
  /** '' means the owner's group. */
  group: {
    kind: 'text',
    default: '',
    input: {},
    label: { en: 'group', zh: '分组' },
    help: { en: "Group (default: the user's group)", zh: '分组（默认为用户的分组）' },
  },
  /** Σ of open holds. Used where several processes share PostgreSQL, else 0. */
  held: { kind: 'quota', default: 0, hidden: true },
  deleted_at: { kind: 'time', nullable: true, hidden: true },
});
