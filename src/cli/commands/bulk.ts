/** `turnpike users bulk` and `turnpike tokens bulk`. */
import { api } from '../../core/contract/index.ts';
import { roles } from '../../core/vocabulary/roles.ts';
import { tokenStatuses, userStatuses } from '../../core/vocabulary/statuses.ts';
import { bulkCommand } from '../command/bulk.ts';
import { readTime } from '../command/common-flags.ts';

const roleNumbers: Readonly<Record<string, number>> = roles;
const tokenStatusNumbers: Readonly<Record<string, number>> = {
  enabled: tokenStatuses.enabled,
  disabled: tokenStatuses.disabled,
};

export const userBulkCommand = bulkCommand({
  name: 'users bulk',
  summary: { en: 'Change many users at once', zh: '批量修改用户' },
  call: api.bulk.users,
  match: [
    {
      name: 'match',
      field: 'keyword',
      kind: 'text',
      placeholder: 'TEXT',
      summary: {
        en: 'Users with this id, or part of the name or email',
        zh: '编号，或名称、邮箱包含',
      },
    },
    {
      name: 'match-group',
      field: 'group',
      kind: 'text',
      summary: { en: 'Users of this group', zh: '此分组的用户' },
    },
    {
      name: 'match-role',
      field: 'role',
      kind: 'text',
      choices: ['user', 'admin'],
      read: (text) => roleNumbers[text],
      summary: { en: 'Users of this role', zh: '此角色的用户' },
    },
    {
      name: 'match-quota-from',
      field: 'quota_from',
      kind: 'integer',
      summary: { en: 'Users with at least this balance, in quota', zh: '余额不低于此额度的用户' },
    },
    {
      name: 'match-quota-to',
      field: 'quota_to',
      kind: 'integer',
      summary: { en: 'Users with at most this balance, in quota', zh: '余额不高于此额度的用户' },
    },
    {
      name: 'match-unseen',
      field: 'unseen_since',
      kind: 'text',
      placeholder: 'TIME',
      read: (text) => readTime('match-unseen', text),
      summary: { en: 'Users not seen since this time', zh: '自此时间起没有活动的用户' },
    },
  ],
  change: [
    { name: 'group', kind: 'text', summary: { en: 'New group', zh: '新的分组' } },
    {
      name: 'grant',
      kind: 'integer',
      min: 1,
      summary: { en: 'Quota to give to each', zh: '赠送给每个用户的额度' },
    },
    {
      name: 'remark',
      kind: 'text',
      summary: { en: 'Remark on the grant', zh: '赠送备注' },
    },
    {
      name: 'ban',
      field: 'status',
      kind: 'text',
      choices: ['on', 'off'],
      read: (text) => (text === 'on' ? userStatuses.banned : userStatuses.active),
      summary: { en: 'Ban or unban', zh: '封禁或解封' },
    },
    {
      name: 'sign-out',
      field: 'sign_out',
      kind: 'switch',
      summary: { en: 'Sign out everywhere', zh: '在所有设备上退出登录' },
    },
  ],
});

export const tokenBulkCommand = bulkCommand({
  name: 'tokens bulk',
  summary: { en: 'Change many tokens at once', zh: '批量修改令牌' },
  call: api.bulk.userTokens,
  match: [
    {
      name: 'match',
      field: 'keyword',
      kind: 'text',
      placeholder: 'TEXT',
      summary: { en: 'Tokens with this part of the name', zh: '名称包含' },
    },
    {
      name: 'match-user',
      field: 'user_id',
      kind: 'integer',
      min: 1,
      placeholder: 'ID',
      summary: { en: 'Tokens of this user', zh: '此用户的令牌' },
    },
  ],
  change: [
    {
      name: 'status',
      kind: 'text',
      choices: Object.keys(tokenStatusNumbers),
      read: (text) => tokenStatusNumbers[text],
      summary: { en: 'Enable or disable', zh: '启用或停用' },
    },
    {
      name: 'group',
      kind: 'text',
      summary: { en: "Group; '' for that of the user", zh: '分组；空值为用户的分组' },
    },
    {
      name: 'expires',
      field: 'expired_time',
      kind: 'text',
      placeholder: 'DATE|never',
      read: (text) => (text === 'never' ? -1 : readTime('expires', text, { ahead: true })),
      summary: { en: 'Expiry time', zh: '过期时间' },
    },
    { name: 'delete', kind: 'switch', summary: { en: 'Delete them for good', zh: '永久删除' } },
  ],
});
