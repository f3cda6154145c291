/** `channels ends`: models of channels that end at their vendors (docs/rules/models.md#ends-shown). */

import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { api } from '../../../core/contract/index.ts';
import { parseObject } from '../../../core/kernel/json.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { type Command, type Context, command } from '../../command/command.ts';
import type { Column } from '../../show/table.ts';
import { printTable } from '../../show/table.ts';

const { channel, channelTypes } = api;

interface Ending {
  readonly id: number;
  readonly name: string;
  readonly model: string;
  /** The first day without it, UTC. */
  readonly ends: string;
  /** Empty: none is known. */
  readonly successor: string;
  /** It was mapped to its successor just now. */
  readonly mapped: boolean;
}

const columns: readonly Column<Ending>[] = [
  { title: { en: 'id', zh: '编号' }, value: ({ id }) => String(id), align: 'right' },
  { title: { en: 'channel', zh: '渠道' }, value: ({ name }) => name, narrow: 'elide' },
  { title: { en: 'model', zh: '模型' }, value: ({ model }) => model },
  { title: { en: 'ends', zh: '下线日期' }, value: ({ ends }) => ends },
  {
    title: { en: 'successor', zh: '替代模型' },
    value: ({ successor, mapped }) => (mapped ? `→ ${successor}` : successor),
    tone: ({ mapped }) => (mapped ? 'ok' : 'plain'),
  },
];

/** The channel with this id, else every enabled one. */
async function chosen(context: Context): Promise<readonly ChannelEntity[]> {
  const { id } = context.arguments;
  if (id !== undefined) return [await context.call(channel.get, { id: Number(id) })];
  const found: ChannelEntity[] = [];
  for (let p = 0; ; p++) {
    const page = { p, page_size: 100, status: channelStatuses.enabled };
    const { items, total } = await context.call(channel.list, page);
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}

async function endsOf(context: Context, one: ChannelEntity): Promise<readonly Ending[]> {
  const { id, name, type, model_mapping: text } = one;
  const models = one.models.split(',').filter(Boolean);
  const found = await context.call(channelTypes.modelEnds, { type, models, model_mapping: text });
  const isMapping = context.values.on('map');
  const successors = found.filter(({ successor }) => successor !== '');
  if (isMapping && successors.length > 0) {
    const mapping = { ...parseObject(text) };
    for (const { model, successor } of successors) mapping[model] = successor;
    await context.call(channel.update, { id, model_mapping: JSON.stringify(mapping) });
  }
  return found.map((ending) => ({
    id,
    name,
    ...ending,
    mapped: isMapping && ending.successor !== '',
  }));
}

export const channelEndsCommand: Command = command({
  name: 'channels ends',
  summary: {
    en: 'Models that have ended at their vendor or will within 30 days',
    zh: '已在厂商处下线或 30 天内下线的模型',
  },
  arguments: [
    {
      name: 'id',
      kind: 'id',
      optional: true,
      summary: {
        en: 'Channel id (default: all enabled channels)',
        zh: '渠道编号（默认全部启用的渠道）',
      },
    },
  ],
  flags: [
    {
      name: 'map',
      kind: 'switch',
      summary: { en: 'Map each to its successor', zh: '将其映射到替代模型' },
    },
  ],
  async run(context) {
    const endings: Ending[] = [];
    for (const one of await chosen(context)) endings.push(...(await endsOf(context, one)));
    return {
      json: { items: endings, total: endings.length },
      async print(output, view) {
        if (endings.length === 0) return output.note({ en: 'None', zh: '没有' });
        printTable(output, columns, endings, await view());
      },
    };
  },
});
