/** `turnpike users bulk` and `turnpike tokens bulk`. */
import { api } from '../../core/contract/index.ts';
import { userMatch } from '../../core/contract/user.ts';
import { userTokenMatch } from '../../core/contract/user-tokens.ts';
import { tokenFilters } from '../../core/entities/token-filters.ts';
import { userFilters } from '../../core/entities/user-filters.ts';
import { tokenStatuses, userStatuses } from '../../core/vocabulary/statuses.ts';
import { bulkCommand } from '../command/bulk.ts';
import { readTime } from '../command/common-flags.ts';
import { matchFlags } from '../command/filter-flags.ts';

const tokenStatusNumbers: Readonly<Record<string, number>> = {
  enabled: tokenStatuses.enabled,
  disabled: tokenStatuses.disabled,
};

export const userBulkCommand = bulkCommand({
  name: 'users bulk',
  summary: { en: 'Change many users at once', zh: '批量修改用户' },
  call: api.bulk.users,
  match: matchFlags(api.bulk.users, userMatch, userFilters),
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
      summary: { en: 'Log out everywhere', zh: '在所有设备上退出登录' },
    },
  ],
});

export const tokenBulkCommand = bulkCommand({
  name: 'tokens bulk',
  summary: { en: 'Change many tokens at once', zh: '批量修改令牌' },
  call: api.bulk.userTokens,
  match: matchFlags(api.bulk.userTokens, userTokenMatch, tokenFilters),
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
