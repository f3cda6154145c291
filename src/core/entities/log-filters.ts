import { defineFilters } from './filters.ts';

/** The filters of usage logs (docs/rules/usage-logs.md#log-search). */
export const logFilters = defineFilters({
  request: {
    kind: 'text',
    wire: 'request_id',
    anyTime: true,
    label: { en: 'request ID', zh: '请求编号' },
  },
  time: {
    kind: 'time',
    wire: ['start_timestamp', 'end_timestamp'],
    column: 'created_at',
    label: { en: 'time', zh: '时间' },
  },
  type: { kind: 'code', wire: 'type', label: { en: 'type', zh: '类型' } },
  model: {
    kind: 'text',
    match: 'pattern',
    wire: 'model_name',
    label: { en: 'model', zh: '模型' },
  },
  token: { kind: 'text', wire: 'token_name', label: { en: 'token', zh: '令牌' } },
  user: {
    kind: 'text',
    names: 'user',
    wire: 'username',
    for: 'admins',
    label: { en: 'user', zh: '用户' },
  },
  channel: {
    kind: 'id',
    wire: 'channel',
    column: 'channel_id',
    for: 'admins',
    label: { en: 'channel', zh: '渠道' },
  },
  group: { kind: 'text', wire: 'group', label: { en: 'group', zh: '分组' } },
  tag: { kind: 'text', wire: 'tag', column: 'tags', own: true, label: { en: 'tag', zh: '标签' } },
});
