/** `turnpike channels …` (docs/rules/channels.md#channel-fields). */
import { api } from '../../../core/contract/index.ts';
import { channelFilters } from '../../../core/entities/channel-filters.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { requiring } from '../../base/flags.ts';
import type { Text } from '../../base/text.ts';
import { nothingToChange, UsageError } from '../../base/usage-error.ts';
import {
  type Argument,
  type Command,
  type Context,
  command,
  done,
  failedWith,
  idArgument,
  listed,
  named,
} from '../../command/command.ts';
import { filterFlags } from '../../command/filter-flags.ts';
import { pageFlags, readRows } from '../../command/paging.ts';
import { givenSecret, readSecret } from '../../command/secret-input.ts';
import { channelColumns } from '../../show/channel-columns.ts';
import type { Output } from '../../show/output.ts';
import { channelBulkCommand } from './bulk.ts';
import { channelEndsCommand } from './ends.ts';
import { channelFieldFlags } from './flags.ts';
import { channelKeysCommand } from './keys.ts';
import { manyChannelCommands } from './many.ts';
import { channelLossCommand, channelMarginCommand } from './margins.ts';
import { channelProbeCommands } from './probes.ts';

const { channel } = api;

/** The key from a flag, variable or prompt; no prompt for types that need no key. */
async function keyFor(context: Context, type: number): Promise<string> {
  const types = await context.call(api.channelTypes.list, {});
  if (types.find((entry) => entry.type === type)?.key_optional === true)
    return (await givenSecret(context, 'key')) ?? '';
  return readSecret(context, 'key', texts.key);
}

async function addChannel(context: Context) {
  const { values } = context;
  const input = values.input() as { type: number; key?: string; models?: string };
  const key = input.key ?? (await keyFor(context, input.type));
  const created = await context.call(channel.create, { ...input, key });
  const models = (input.models ?? '').split(',').filter(Boolean);
  const unpriced = models.length === 0 ? [] : await context.call(api.catalog.unpriced, { models });
  return {
    json: created,
    print: (output: Output) => {
      output.note(texts.added, { ids: created.ids.join(', ') }, 'ok');
      if (unpriced.length > 0)
        output.note(
          texts.unpriced,
          { count: unpriced.length, all: models.length, names: unpriced.join(', ') },
          'warn',
        );
    },
  };
}

const channelIds: Argument = {
  name: 'id',
  kind: 'ids',
  summary: { en: 'Id; with --tag also several: 1,2,3', zh: '编号；配合 --tag 可给出多个：1,2,3' },
};

async function editChannel(context: Context) {
  const ids = [...new Set((context.arguments.id ?? '').split(',').map(Number))];
  const [id = 0] = ids;
  const input = context.values.input();
  if (ids.length > 1) return tagChannels(context, ids, input);
  const key = context.values.on('key-stdin')
    ? { key: await context.terminal.readAll('--key-stdin') }
    : {};
  if (Object.keys(input).length + Object.keys(key).length === 0) throw nothingToChange();
  const changed = await context.call(channel.update, { ...input, ...key, id });
  return done(texts.changed, { id }, changed);
}

/**
 * The tag is what several channels have in common; all other fields of a tag's channels are changed
 * with `edit-tag`.
 */
async function tagChannels(
  context: Context,
  ids: readonly number[],
  { tag, ...others }: Record<string, unknown>,
) {
  const isOnlyTag = Object.keys(others).length === 0 && !context.values.on('key-stdin');
  if (typeof tag !== 'string' || !isOnlyTag) throw new UsageError(texts.onlyTag);
  const count = await context.call(channel.tagMany, { ids: [...ids], tag });
  const outcome = done(texts.tagged, { count, total: ids.length }, { count });
  return count < ids.length ? failedWith(outcome) : outcome;
}

function switchTo(
  verb: 'enable' | 'disable',
  status: number,
  summary: Text,
  message: Text,
): Command {
  return command({
    name: `channels ${verb}`,
    summary,
    arguments: [idArgument],
    async run(context) {
      const id = Number(context.arguments.id);
      return done(message, { id }, await context.call(channel.update, { id, status }));
    },
  });
}

export const channelCommands: readonly Command[] = [
  command({
    name: 'channels list',
    summary: { en: 'List channels', zh: '列出渠道' },
    flags: [...pageFlags(0), ...filterFlags(channel.list, channelFilters)],
    run: async (context) =>
      listed(await readRows(context, (input) => context.call(channel.list, input)), channelColumns),
  }),
  command({
    name: 'channels show',
    summary: { en: 'Show a channel, without its key', zh: '查看渠道（不显示密钥）' },
    arguments: [idArgument],
    calls: channel.get,
    columns: channelColumns,
  }),
  command({
    name: 'channels add',
    summary: { en: 'Add a channel', zh: '添加渠道' },
    details: {
      en: 'A key with several lines creates one channel per line, or a single channel with several keys if --setting contains {"multi_key_mode":"random"} or {"multi_key_mode":"polling"}. If the key is omitted, a terminal prompts for it.',
      zh: '密钥有多行时，每行创建一个渠道；若 --setting 含 {"multi_key_mode":"random"}（或 "polling"），则创建一个多密钥渠道，随机（或轮询）使用各密钥。在终端中未给出密钥时会提示输入。',
    },
    flags: requiring(channelFieldFlags, 'name', 'type'),
    run: addChannel,
  }),
  command({
    name: 'channels edit',
    summary: {
      en: 'Edit a channel, or set the tag of several',
      zh: '修改渠道，或为多个渠道设置标签',
    },
    arguments: [channelIds],
    flags: channelFieldFlags,
    run: editChannel,
  }),
  switchTo(
    'enable',
    channelStatuses.enabled,
    { en: 'Enable a channel', zh: '启用渠道' },
    { en: 'Enabled channel {id}', zh: '渠道 {id} 已启用' },
  ),
  switchTo(
    'disable',
    channelStatuses.disabled,
    { en: 'Disable a channel', zh: '停用渠道' },
    { en: 'Disabled channel {id}', zh: '渠道 {id} 已停用' },
  ),
  command({
    name: 'channels delete',
    summary: { en: 'Delete a channel', zh: '删除渠道' },
    arguments: [idArgument],
    confirmation: { en: 'Delete channel {id}?', zh: '删除渠道 {id}？' },
    async run(context) {
      const id = Number(context.arguments.id);
      // The call for one channel replies the same whether the channel was there.
      if ((await context.call(channel.removeMany, { ids: [id] })) === 0)
        throw new AppError('not_found');
      return done(texts.deleted, { id }, { id });
    },
  }),
  ...manyChannelCommands,
  channelBulkCommand,
  channelKeysCommand,
  channelMarginCommand,
  channelEndsCommand,
  channelLossCommand,
  ...channelProbeCommands,
  command({
    name: 'channels fetch-models',
    summary: { en: "List the models of a channel's upstream", zh: '获取渠道上游的模型列表' },
    arguments: [idArgument],
    async run(context) {
      return named(await context.call(channel.fetchModels, { id: Number(context.arguments.id) }));
    },
  }),
  command({
    name: 'channels types',
    summary: { en: 'Channel types and their capabilities', zh: '渠道类型及其能力' },
    async run(context) {
      const types = await context.call(api.channelTypes.list, {});
      return listed({ items: types, total: types.length }, [
        { title: { en: 'type', zh: '类型' }, value: (row) => String(row.type), align: 'right' },
        { title: { en: 'slug', zh: '代号' }, value: (row) => row.slug },
        { title: { en: 'name', zh: '名称' }, value: (row) => row.name, narrow: 'elide' },
        {
          title: { en: 'key', zh: '密钥' },
          narrow: 'elide',
          value: (row) =>
            row.key_optional
              ? `${row.key_example} (${texts.optional[context.output.language]})`
              : row.key_example,
        },
        {
          title: { en: 'extra field', zh: '附加字段' },
          value: (row) => row.other_label,
          narrow: 'elide',
        },
        {
          title: { en: 'operations', zh: '支持的操作' },
          narrow: 'elide',
          value: (row) => row.operations.join(', '),
          tone: (row) => (row.available ? 'plain' : 'dim'),
        },
      ]);
    },
  }),
];

const texts = {
  key: { en: 'Provider key', zh: '密钥' },
  added: { en: 'Added channel {ids}', zh: '已添加渠道 {ids}' },
  unpriced: {
    en: 'Without a price, and refused until one is set: {count} of {all} models ({names}). See: turnpike pricing list',
    zh: '{all} 个模型中有 {count} 个没有价格，设置之前无法调用：{names}。查看：turnpike pricing list',
  },
  deleted: { en: 'Deleted channel {id}', zh: '渠道 {id} 已删除' },
  changed: { en: 'Updated channel {id}', zh: '渠道 {id} 已修改' },
  onlyTag: {
    en: 'With several ids only --tag is possible; other fields of all channels of a tag: turnpike channels edit-tag',
    zh: '多个编号只能与 --tag 一起使用；修改某标签全部渠道的其他字段：turnpike channels edit-tag',
  },
  tagged: {
    en: 'Set the tag of {count} of {total} {total:channel|channels}',
    zh: '已设置标签的渠道：{count}/{total}',
  },
  optional: { en: 'optional', zh: '可选' },
} as const;
