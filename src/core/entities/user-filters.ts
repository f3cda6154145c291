import { roles } from '../vocabulary/roles.ts';
import { userStatuses } from '../vocabulary/statuses.ts';
import { defineFilters } from './filters.ts';

/** The filters of users (docs/rules/accounts.md#user-administration). */
export const userFilters = defineFilters({
  /** The id, a part of a name or of the e-mail address, or the end of the phone number. */
  keyword: {
    kind: 'text',
    wire: 'keyword',
    url: 'q',
    trim: true,
    own: true,
    label: { en: 'ID, username, display name or email', zh: '编号、用户名、显示名称或邮箱' },
    help: {
      en: 'Search id, username, display name or email',
      zh: '按编号、用户名、显示名称或邮箱搜索',
    },
  },
  group: { kind: 'text', wire: 'group', label: { en: 'group', zh: '分组' } },
  role: {
    kind: 'code',
    wire: 'role',
    optional: true,
    choices: { user: roles.user, admin: roles.admin, root: roles.root },
    label: { en: 'role', zh: '角色' },
  },
  status: {
    kind: 'code',
    wire: 'status',
    optional: true,
    choices: { active: userStatuses.active, banned: userStatuses.banned },
    label: { en: 'status', zh: '状态' },
  },
  quotaFrom: {
    kind: 'quota',
    compare: '>=',
    wire: 'quota_from',
    column: 'quota',
    optional: true,
    label: { en: 'least balance', zh: '最低余额' },
    help: { en: 'With at least this balance, in quota', zh: '余额不低于此额度' },
  },
  quotaTo: {
    kind: 'quota',
    compare: '<=',
    wire: 'quota_to',
    column: 'quota',
    optional: true,
    label: { en: 'most balance', zh: '最高余额' },
    help: { en: 'With at most this balance, in quota', zh: '余额不高于此额度' },
  },
  usedFrom: {
    kind: 'quota',
    compare: '>=',
    wire: 'used_from',
    column: 'used_quota',
    optional: true,
    label: { en: 'least used', zh: '最低已用' },
    help: { en: 'With at least this used, in quota', zh: '已用不低于此额度' },
  },
  usedTo: {
    kind: 'quota',
    compare: '<=',
    wire: 'used_to',
    column: 'used_quota',
    optional: true,
    label: { en: 'most used', zh: '最高已用' },
    help: { en: 'With at most this used, in quota', zh: '已用不高于此额度' },
  },
  /** Not seen since this time, or never. */
  unseen: {
    kind: 'moment',
    wire: 'unseen_since',
    optional: true,
    own: true,
    label: { en: 'not seen', zh: '未活动' },
    help: { en: 'Not seen since this time', zh: '自此时间起没有活动' },
  },
});
