import { maxAmount } from '../kernel/quota.ts';
import { commonPasswords } from '../vocabulary/common-passwords.ts';
import { roles } from '../vocabulary/roles.ts';
import { userStatuses } from '../vocabulary/statuses.ts';
import { defineFields, pickFields } from './field.ts';

/** An account at a third party, kept in `user_identities` (docs/rules/accounts.md#identities). */
const identity = <const Provider extends string>(provider: Provider) =>
  ({ kind: 'text', stored: false, identity: provider }) as const;

/** A person with a balance (docs/rules/accounts.md). */
export const userFields = defineFields({
  id: { kind: 'integer', generated: true, label: { en: 'id', zh: '编号' } },
  /** Not eleven digits, which would be a phone number. Unique, ignoring case. */
  username: {
    kind: 'text',
    trim: true,
    limits: { min: 1, max: 20, pattern: /^(?!\d{11}$)[^\s\p{C}@]*$/u, error: 'username_invalid' },
    input: { calls: ['create', 'edit', 'own'], required: true, emptyKeeps: ['edit', 'own'] },
    label: { en: 'name', zh: '名称' },
    help: { en: 'Username', zh: '用户名' },
  },
  /** Stored as `password_hash`. */
  password: {
    kind: 'text',
    stored: false,
    hidden: true,
    limits: {
      min: 8,
      maxBytes: 72,
      error: 'password_invalid',
      refused: { texts: commonPasswords, error: 'password_too_common' },
    },
    input: { calls: ['create', 'edit', 'own'], required: true, emptyKeeps: ['edit', 'own'] },
  },
  /**
   * argon2id in PHC format or an imported bcrypt hash; empty for accounts without a password.
   * Column: `password`.
   */
  password_hash: { kind: 'secret', hidden: true },
  display_name: {
    kind: 'text',
    default: '',
    trim: true,
    limits: { max: 20, error: 'name_too_long' },
    input: { calls: ['create', 'edit', 'own'], emptyKeeps: ['own'] },
    label: { en: 'display name', zh: '显示名称' },
    help: { en: 'Display name', zh: '显示名称' },
  },
  nickname: {
    kind: 'text',
    default: '',
    trim: true,
    limits: { max: 20, error: 'name_too_long' },
    input: { calls: ['edit', 'own'], emptyKeeps: ['own'] },
  },
  /** An http(s) address or a path. */
  portrait: {
    kind: 'text',
    default: '',
    trim: true,
    limits: {
      max: 2048,
      pattern: /^(https?:\/\/[^\s/\\@?#]+([/?#]|$)|\/(?![/\\]))/,
      error: 'invalid_parameter',
    },
    input: { calls: ['own'], emptyKeeps: ['own'] },
  },
  /** An edit checks the role and does not store it: administrators are promoted and demoted. */
  role: {
    kind: 'integer',
    default: roles.user,
    input: {},
    label: { en: 'role', zh: '角色' },
    help: { en: 'Role (default user)', zh: '角色（默认 user）' },
  },
  status: { kind: 'integer', default: userStatuses.active, label: { en: 'status', zh: '状态' } },
  /** Lower case. Unique among verified addresses. */
  email: { kind: 'text', default: '', label: { en: 'email', zh: '邮箱' } },
  email_verified: { kind: 'flag', default: false, hidden: true },
  /** E.164. */
  phone: {
    kind: 'text',
    nullable: true,
    nullAsEmpty: true,
    masked: 'always',
    label: { en: 'phone', zh: '手机号' },
  },
  phone_verified_at: { kind: 'time', default: 0, hidden: true },
  github_id: identity('github'),
  oidc_id: identity('oidc'),
  wechat_id: identity('wechat'),
  telegram_id: identity('telegram'),
  linux_do_id: identity('linux_do'),
  /** SHA-256 of the system access token, hex. */
  access_token_hash: { kind: 'text', nullable: true, hidden: true },
  /** One of those in GroupRatio. */
  group: {
    kind: 'text',
    default: 'default',
    input: { emptyKeeps: ['edit'] },
    label: { en: 'group', zh: '分组' },
    help: { en: 'Group', zh: '分组' },
  },
  /**
   * The balance: the sum of the user's ledger postings. Only the ledger changes it. A new user's
   * default is QuotaForNewUser.
   */
  quota: {
    kind: 'quota',
    default: 0,
    limits: { min: 0, max: maxAmount, calls: ['create'], error: 'invalid_parameter' },
    input: { optional: true },
    label: { en: 'balance', zh: '余额' },
    help: { en: 'Initial quota', zh: '初始额度' },
  },
  used_quota: { kind: 'quota', default: 0, label: { en: 'used', zh: '已用' } },
  request_count: { kind: 'integer', default: 0, label: { en: 'requests', zh: '请求数' } },
  /** Sum of open holds. Used where several processes share PostgreSQL, else 0. */
  held: { kind: 'quota', default: 0, hidden: true },
  /** The invite code, null until first use. */
  aff_code: {
    kind: 'text',
    nullable: true,
    nullAsEmpty: true,
    label: { en: 'invite code', zh: '邀请码' },
  },
  aff_count: { kind: 'integer', default: 0, label: { en: 'invited users', zh: '邀请人数' } },
  /** Invitation rewards that are not moved to the balance yet. */
  aff_quota: { kind: 'quota', default: 0, label: { en: 'invite earnings', zh: '邀请收益' } },
  /** All invitation rewards ever received. */
  aff_history_quota: {
    kind: 'quota',
    column: 'aff_history',
    default: 0,
    label: { en: 'invite earnings in all', zh: '累计邀请收益' },
  },
  /** 0: not invited. */
  inviter_id: { kind: 'integer', default: 0, label: { en: 'invited by', zh: '邀请人' } },
  /** The user's own settings. Others do not see the webhook secret. */
  setting: { kind: 'json', default: '', sealed: true, masked: 'for-others' },
  created_at: { kind: 'time', default: 0, label: { en: 'created', zh: '创建时间' } },
  /** Last request of a session; lists add the last use of a token. 0: never. */
  seen_at: { kind: 'time', default: 0, label: { en: 'last seen', zh: '最近活动' } },
  /** Time of soft deletion. */
  DeletedAt: { kind: 'instant', column: 'deleted_at', nullable: true },
});

const signedInNames = [
  'id',
  'username',
  'display_name',
  'nickname',
  'portrait',
  'role',
  'status',
  'group',
] as const;
/** What the reply to a sign-in by any method contains. */
export const signedInUserFields = pickFields(userFields, signedInNames);
/** What `/users/get/info` contains. */
export const userInfoFields = pickFields(userFields, [...signedInNames, 'email', 'phone', 'quota']);
