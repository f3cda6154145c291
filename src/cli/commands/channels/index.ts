/** `turnpike channels …` (design, product 8; spec, console-api 6). */
import { api } from '../../../core/contract/index.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import type { Text } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { type Command, type Context, command, done, idArgument, listed, named } from '../../command/command.ts';
import { pageFlags } from '../../command/common-flags.ts';
import { fieldFlag } from '../../command/field-flag.ts';
import { givenSecret, readSecret } from '../../command/secret-input.ts';
import { channelColumns } from '../../show/channel-columns.ts';
import { channelFieldFlags } from './flags.ts';
import { channelProbeCommands } from './probes.ts';

const { channel } = api;

/** Types that need no key are not asked for one. */
async function keyFor(context: Context, type: number): Promise<string> {
  const types = await context.call(api.turnpike.channelTypes, {});
  if (types.find((entry) => entry.type === type)?.key_optional === true) return (await givenSecret(context, 'key')) ?? '';
  return readSecret(context, 'key', texts.key);
}

async function addChannel(context: Context) {
  const { values } = context;
  const input = values.input() as { type?: number; key?: string; name?: string };
  if (input.name === undefined) throw new UsageError(texts.required, { flag: 'name' });
  if (input.type === undefined) throw new UsageError(texts.required, { flag: 'type' });
  const key = input.key ?? (await keyFor(context, input.type));
  const made = await context.call(channel.create, { ...input, type: input.type, key });
  return done(texts.added, { ids: made.ids.join(', ') }, made);
}

async function editChannel(context: Context) {
  const id = Number(context.arguments.id);
  const input = context.values.input();
  const key = context.values.on('key-stdin') ? { key: await context.terminal.readAll('key-stdin') } : {};
  if (Object.keys(input).length + Object.keys(key).length === 0) throw new UsageError(texts.nothing);
  const changed = await context.call(channel.update, { ...input, ...key, id });
  return done(texts.changed, { id }, changed);
}

function switchTo(verb: 'enable' | 'disable', status: number, summary: Text, said: Text): Command {
  return command({
    name: `channels ${verb}`,
    summary,
    arguments: [idArgument],
    async run(context) {
      const id = Number(context.arguments.id);
      return done(said, { id }, await context.call(channel.update, { id, status }));
    },
  });
}

export const channelCommands: readonly Command[] = [
  command({
    name: 'channels list',
    summary: { en: 'List channels', zh: '列出渠道' },
    flags: [
      ...pageFlags(0),
      fieldFlag(channel.search, 'keyword', { en: 'In id, name or base URL', zh: '匹配编号、名称或地址' }),
      fieldFlag(channel.search, 'group', { en: 'Only this group', zh: '仅此分组' }),
      fieldFlag(channel.search, 'model', { en: 'Only channels with this model', zh: '仅含此模型' }),
    ],
    async run(context) {
      const { values } = context;
      const isSearch = values.has('keyword') || values.has('group') || values.has('model');
      return listed(await context.call(isSearch ? channel.search : channel.list, values.input()), channelColumns);
    },
  }),
  command({
    name: 'channels show',
    summary: { en: 'Show a channel; its key is never shown', zh: '查看渠道（不显示密钥）' },
    arguments: [idArgument],
    calls: channel.get,
    columns: channelColumns,
  }),
  command({
    name: 'channels add',
    summary: { en: 'Add a channel', zh: '添加渠道' },
    details: {
      en: 'A key of several lines makes a channel for each line, or one channel whose keys take turns if --setting says {"multi_key_mode":"random"} or "polling". Without a key you are asked for it on a terminal.',
      zh: '密钥有多行时，每行建立一个渠道；若 --setting 含 {"multi_key_mode":"random"}（或 "polling"），则建立一个多密钥渠道，各密钥随机（或轮流）使用。未给出密钥且在终端中时会提示输入。',
    },
    flags: channelFieldFlags,
    run: addChannel,
  }),
  command({
    name: 'channels edit',
    summary: { en: 'Change a channel', zh: '修改渠道' },
    arguments: [idArgument],
    flags: channelFieldFlags,
    run: editChannel,
  }),
  switchTo(
    'enable',
    channelStatuses.enabled,
    { en: 'Enable a channel', zh: '启用渠道' },
    { en: 'Channel {id} is on', zh: '渠道 {id} 已启用' },
  ),
  switchTo(
    'disable',
    channelStatuses.disabled,
    { en: 'Disable a channel', zh: '停用渠道' },
    { en: 'Channel {id} is off', zh: '渠道 {id} 已停用' },
  ),
  command({
    name: 'channels delete',
    summary: { en: 'Delete a channel', zh: '删除渠道' },
    arguments: [idArgument],
    asks: { en: 'Delete channel {id}?', zh: '删除渠道 {id}？' },
    calls: channel.remove,
    done: { en: 'Channel {id} is deleted', zh: '渠道 {id} 已删除' },
  }),
  ...channelProbeCommands,
  command({
    name: 'channels fetch-models',
    summary: { en: "Model list of a channel's upstream", zh: '获取渠道上游的模型列表' },
    arguments: [idArgument],
    async run(context) {
      return named(await context.call(channel.fetchModels, { id: Number(context.arguments.id) }));
    },
  }),
  command({
    name: 'channels types',
    summary: { en: 'Channel types, with what they can do', zh: '渠道类型及其能力' },
    async run(context) {
      const types = await context.call(api.turnpike.channelTypes, {});
      return listed({ items: types, total: types.length }, [
        { title: { en: 'type', zh: '编号' }, value: (row) => String(row.type), align: 'right' },
        { title: { en: 'slug', zh: '代号' }, value: (row) => row.slug },
        { title: { en: 'name', zh: '名称' }, value: (row) => row.name, narrow: 'elide' },
        {
          title: { en: 'key', zh: '密钥' },
          narrow: 'elide',
          value: (row) =>
            row.key_optional ? `${row.key_example} (${texts.optional[context.output.language]})` : row.key_example,
        },
        { title: { en: 'other', zh: '附加字段' }, value: (row) => row.other_label, narrow: 'elide' },
        {
          title: { en: 'operations', zh: '能力' },
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
  changed: { en: 'Channel {id} is changed', zh: '渠道 {id} 已修改' },
  optional: { en: 'optional', zh: '可不填' },
  nothing: { en: 'Nothing to change: give at least one flag', zh: '没有要修改的内容：请至少给出一个选项' },
  required: { en: '--{flag} is required', zh: '缺少 --{flag}' },
} as const;
