import { tokenStatuses } from '../vocabulary/statuses.ts';
import { defineFilters } from './filters.ts';

/** The filters of the tokens: one's own, or for administrators those of all users. */
export const tokenFilters = defineFilters({
  userId: {
    kind: 'id',
    names: 'user',
    wire: 'user_id',
    optional: true,
    for: 'admins',
    label: { en: 'user', zh: '用户' },
  },
  keyword: {
    kind: 'text',
    match: 'part',
    wire: 'keyword',
    url: 'q',
    column: 'name',
    label: { en: 'name', zh: '名称' },
    help: { en: 'Part of the name', zh: '名称包含' },
  },
  /**
   * A part of the key, for which keys are decrypted: only those of one user. A leading `sk-` is
   * removed once.
   */
  key: { kind: 'text', wire: 'token', own: true, for: 'owner', label: { en: 'key', zh: '密钥' } },
  group: { kind: 'text', wire: 'group', for: 'admins', label: { en: 'group', zh: '分组' } },
  status: {
    kind: 'code',
    wire: 'status',
    optional: true,
    choices: tokenStatuses,
    label: { en: 'status', zh: '状态' },
  },
  /** With `expiresTo`: tokens without an expiry, whose time is -1, are not among them. */
  expiresFrom: {
    kind: 'moment',
    ahead: true,
    compare: '>=',
    wire: 'expires_from',
    column: 'expired_time',
    label: { en: 'expires from', zh: '到期不早于' },
    help: { en: 'That expire at this time or later', zh: '在此时间或之后到期' },
  },
  expiresTo: {
    kind: 'moment',
    ahead: true,
    compare: '<=',
    wire: 'expires_to',
    column: 'expired_time',
    label: { en: 'expires until', zh: '到期不晚于' },
    help: { en: 'That expire at this time or before', zh: '在此时间或之前到期' },
  },
});
