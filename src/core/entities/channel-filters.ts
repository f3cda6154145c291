import { channelStates } from '../vocabulary/channel-states.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import { defineFilters } from './filters.ts';

/** The filters of channels (docs/rules/channels.md). */
export const channelFilters = defineFilters({
  /** The id, a part of the name, or the whole key. */
  keyword: {
    kind: 'text',
    wire: 'keyword',
    url: 'q',
    own: true,
    label: { en: 'ID, name or key', zh: 'ID、名称、密钥' },
    help: { en: 'Id, whole key, or part of the name', zh: '编号、完整的密钥，或名称包含' },
  },
  model: {
    kind: 'text',
    match: 'part',
    wire: 'model',
    column: 'models',
    label: { en: 'model', zh: '模型' },
    help: { en: 'Part of the name of a model', zh: '模型名称包含' },
  },
  /** One of the channel's groups. */
  group: { kind: 'text', wire: 'group', own: true, label: { en: 'group', zh: '分组' } },
  status: {
    kind: 'code',
    wire: 'status',
    optional: true,
    choices: {
      enabled: channelStatuses.enabled,
      disabled: channelStatuses.disabled,
      'auto-disabled': channelStatuses.autoDisabled,
    },
    label: { en: 'status', zh: '状态' },
  },
  /** How it is now: status, circuit, last attempt and test (docs/rules/usage-logs.md#channel-states). */
  state: {
    kind: 'text',
    wire: 'state',
    choices: channelStates,
    only: true,
    own: true,
    label: { en: 'health', zh: '健康状况' },
  },
  /** '': channels without one. */
  tag: { kind: 'text', wire: 'tag', optional: true, label: { en: 'tag', zh: '标签' } },
  failed: {
    kind: 'switch',
    wire: 'test_failed',
    own: true,
    label: { en: 'last test failed', zh: '上次测试失败' },
    help: { en: 'Whose last test failed', zh: '仅上次测试失败的渠道' },
  },
});
