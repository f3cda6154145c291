/**
 * The fields of a channel that can be changed in the terminal screens; the commands and the console
 * change all of them.
 */
import type { ChannelEntity } from '../../core/contract/entities.ts';
import type { Text } from '../base/text.ts';
import type { EditableField } from './entity-fields.ts';
import type { LongFormat } from './long-text.ts';

type TextName =
  | 'name'
  | 'models'
  | 'group'
  | 'base_url'
  | 'test_model'
  | 'tag'
  | 'model_mapping'
  | 'param_override';

function textField(
  name: TextName,
  en: string,
  zh: string,
  format?: LongFormat,
): EditableField<ChannelEntity> {
  return {
    title: { en, zh },
    ...(format === undefined ? {} : { format }),
    value: (row) => row[name],
    save: async ({ client }, row, text) => {
      await client.channel.update({ id: row.id, [name]: text.trim() });
    },
  };
}

function numberField(
  name: 'priority' | 'weight',
  en: string,
  zh: string,
): EditableField<ChannelEntity> {
  return {
    title: { en, zh },
    value: (row) => String(row[name]),
    save: async (host, row, text) => {
      if (!/^-?\d{1,15}$/.test(text.trim())) throw new Error(host.localize(notWhole, { text }));
      await host.client.channel.update({ id: row.id, [name]: Number(text) });
    },
  };
}
const notWhole: Text = { en: '{text} is not a whole number', zh: '{text} 不是整数' };

export const channelWeight = numberField('weight', 'weight', '权重');
export const channelPriority = numberField('priority', 'priority', '优先级');

export const editableChannelFields: readonly EditableField<ChannelEntity>[] = [
  textField('name', 'name', '名称'),
  textField('models', 'models', '模型', 'lines'),
  textField('group', 'groups', '分组'),
  channelPriority,
  channelWeight,
  textField('tag', 'tag', '标签'),
  textField('base_url', 'base URL', '接口地址'),
  textField('test_model', 'test model', '测试模型'),
  textField('model_mapping', 'model mapping', '模型重定向', 'json'),
  textField('param_override', 'parameter override', '参数覆盖', 'json'),
];
