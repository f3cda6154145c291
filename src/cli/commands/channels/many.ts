/**
 * `turnpike channels …` for copies, and for several channels at once
 * (docs/rules/channels.md#channel-fields).
 */
import { api } from '../../../core/contract/index.ts';
import type { Text } from '../../base/text.ts';
import { nothingToChange } from '../../base/usage-error.ts';
import { type Argument, type Command, command, done, idArgument } from '../../command/command.ts';
import { fieldFlag } from '../../command/field-flag.ts';

const { channel } = api;

const tagArgument: Argument = { name: 'tag', kind: 'text', summary: { en: 'Tag', zh: '标签' } };

function switchTag(verb: 'enable' | 'disable', summary: Text, message: Text): Command {
  return command({
    name: `channels ${verb}-tag`,
    summary,
    arguments: [tagArgument],
    async run(context) {
      const { tag = '' } = context.arguments;
      await context.call(verb === 'enable' ? channel.enableTag : channel.disableTag, { tag });
      return done(message, { tag }, { tag });
    },
  });
}

export const manyChannelCommands: readonly Command[] = [
  command({
    name: 'channels copy',
    summary: { en: 'Copy a channel with its key', zh: '复制渠道，包括密钥' },
    arguments: [idArgument],
    flags: [
      fieldFlag(
        channel.copy,
        'suffix',
        { en: 'What the name of the copy ends with', zh: '副本名称的后缀' },
        { kind: 'text' },
      ),
    ],
    async run(context) {
      const id = Number(context.arguments.id);
      const copy = await context.call(channel.copy, { ...context.values.input(), id });
      return done(texts.copied, { id, copy: copy.id }, copy);
    },
  }),
  switchTag(
    'enable',
    { en: 'Enable all channels of a tag', zh: '启用某标签的全部渠道' },
    { en: 'Enabled the channels of {tag}', zh: '已启用标签 {tag} 的渠道' },
  ),
  switchTag(
    'disable',
    { en: 'Disable all channels of a tag', zh: '停用某标签的全部渠道' },
    { en: 'Disabled the channels of {tag}', zh: '已停用标签 {tag} 的渠道' },
  ),
  command({
    name: 'channels edit-tag',
    summary: { en: 'Edit all channels of a tag', zh: '修改某标签的全部渠道' },
    arguments: [tagArgument],
    flags: [
      fieldFlag(
        channel.editTag,
        'new_tag',
        {
          en: 'New name of the tag; empty removes it from the channels',
          zh: '新的标签名；为空则从渠道上移除标签',
        },
        { name: 'rename', placeholder: 'TAG' },
      ),
      fieldFlag(channel.editTag, 'models', { en: 'Models', zh: '模型' }, { placeholder: 'A,B' }),
      fieldFlag(channel.editTag, 'groups', { en: 'Groups', zh: '分组' }, { placeholder: 'A,B' }),
      fieldFlag(channel.editTag, 'priority', { en: 'Priority', zh: '优先级' }),
      fieldFlag(channel.editTag, 'weight', { en: 'Weight', zh: '权重' }, { min: 0 }),
      fieldFlag(
        channel.editTag,
        'model_mapping',
        { en: 'Model mapping', zh: '模型重定向' },
        { placeholder: 'JSON' },
      ),
    ],
    async run(context) {
      const { tag = '' } = context.arguments;
      const input = context.values.input();
      if (Object.keys(input).length === 0) throw nothingToChange();
      await context.call(channel.editTag, { ...input, tag });
      return done(texts.edited, { tag }, { tag });
    },
  }),
  command({
    name: 'channels fix',
    summary: { en: 'Rebuild the routing table from the channels', zh: '根据渠道重建路由表' },
    async run(context) {
      const count = await context.call(channel.fix, {});
      return done(texts.rebuilt, { count }, { count });
    },
  }),
  command({
    name: 'channels delete-disabled',
    summary: { en: 'Delete all disabled channels', zh: '删除全部已停用的渠道' },
    confirmation: {
      en: 'Delete all disabled channels, also those disabled automatically?',
      zh: '删除全部已停用的渠道，包括自动停用的？',
    },
    async run(context) {
      const count = await context.call(channel.removeDisabled, {});
      return done(texts.removed, { count }, { count });
    },
  }),
];

const texts = {
  copied: { en: 'Copied channel {id} to {copy}', zh: '渠道 {id} 已复制为 {copy}' },
  edited: { en: 'Updated the channels of {tag}', zh: '已修改标签 {tag} 的渠道' },
  rebuilt: {
    en: 'Rebuilt the routing table: {count} {count:channel|channels}',
    zh: '已重建路由表：{count} 个渠道',
  },
  removed: { en: 'Deleted {count} {count:channel|channels}', zh: '已删除 {count} 个渠道' },
} as const;
