/** `turnpike channels bulk`. */
import { channelMatch } from '../../../core/contract/channel.ts';
import { api } from '../../../core/contract/index.ts';
import { channelFilters } from '../../../core/entities/channel-filters.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import type { Flag } from '../../base/flags.ts';
import { UsageError } from '../../base/usage-error.ts';
import { bulkCommand, namesFlag } from '../../command/bulk.ts';
import { matchFlags } from '../../command/filter-flags.ts';

const statusNumbers: Readonly<Record<string, number>> = {
  enabled: channelStatuses.enabled,
  disabled: channelStatuses.disabled,
};
const onOff = { kind: 'text', choices: ['on', 'off'] } as const;

const change: readonly Flag[] = [
  namesFlag('groups', 'groups', { en: 'New groups', zh: '新的分组' }),
  namesFlag('add-groups', 'add_groups', { en: 'Groups to add', zh: '增加分组' }),
  namesFlag('remove-groups', 'remove_groups', { en: 'Groups to remove', zh: '移除分组' }),
  namesFlag('models', 'models', { en: 'New models', zh: '新的模型' }),
  namesFlag('add-models', 'add_models', { en: 'Models to add', zh: '增加模型' }),
  namesFlag('remove-models', 'remove_models', { en: 'Models to remove', zh: '移除模型' }),
  {
    name: 'replace-model',
    field: 'replace_model',
    kind: 'text',
    placeholder: 'OLD=NEW',
    read: (text) => {
      const pair = text.split('=');
      if (pair.length !== 2 || pair.includes('')) throw new UsageError(texts.pair, { text });
      return pair;
    },
    summary: { en: 'Replace a model where a channel has it', zh: '将含有的某个模型替换为另一个' },
  },
  { name: 'priority', kind: 'integer', summary: { en: 'Priority', zh: '优先级' } },
  { name: 'weight', kind: 'integer', min: 0, summary: { en: 'Weight', zh: '权重' } },
  { name: 'tag', kind: 'text', summary: { en: "Tag; '' removes it", zh: '标签；空值为移除' } },
  {
    name: 'auto-ban',
    field: 'auto_ban',
    ...onOff,
    read: (text) => (text === 'on' ? 1 : 0),
    summary: { en: 'Whether the gateway may disable them', zh: '是否允许网关自动停用' },
  },
  {
    name: 'status',
    kind: 'text',
    choices: ['enabled', 'disabled'],
    read: (text) => statusNumbers[text],
    summary: { en: 'Enable or disable', zh: '启用或停用' },
  },
  { name: 'delete', kind: 'switch', summary: { en: 'Delete them for good', zh: '永久删除' } },
];

export const channelBulkCommand = bulkCommand({
  name: 'channels bulk',
  summary: { en: 'Change many channels at once', zh: '批量修改渠道' },
  call: api.bulk.channels,
  match: matchFlags(api.bulk.channels, channelMatch, channelFilters),
  change,
});

const texts = {
  pair: {
    en: '--replace-model {text}: use OLD=NEW',
    zh: '--replace-model {text}：请使用 旧名=新名',
  },
} as const;
