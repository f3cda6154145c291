/**
 * `turnpike channels keys`: each key of a channel that has several
 * (docs/rules/channels.md#single-keys).
 */
import type { ChannelKey, KeyAction } from '../../../core/contract/channel-keys.ts';
import { api } from '../../../core/contract/index.ts';
import type { Flag } from '../../base/flags.ts';
import type { Text } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { type Command, command, idArgument, listed } from '../../command/command.ts';
import type { Column } from '../../show/table.ts';
import { formatTime } from '../../show/times.ts';

const { channelKeys } = api;

const flag = (name: KeyAction, summary: Text): Flag => ({
  name,
  kind: 'text',
  placeholder: 'N,N',
  summary,
});
const flags = [
  flag('disable', { en: 'Disable the keys at these positions', zh: '停用这些位置的密钥' }),
  flag('enable', { en: 'Enable the keys at these positions', zh: '启用这些位置的密钥' }),
  flag('remove', { en: 'Remove the keys at these positions', zh: '删除这些位置的密钥' }),
];

/**
 * The fingerprints of the keys at positions such as `2,5`. Throws UsageError for a position that
 * the channel does not have.
 */
function namesAt(keys: readonly ChannelKey[], positions: string): string[] {
  return positions.split(',').map((text) => {
    const found = keys.find(({ position }) => String(position) === text.trim());
    if (found === undefined)
      throw new UsageError(texts.position, { position: text.trim(), size: keys.length });
    return found.name;
  });
}

const columns: readonly Column<ChannelKey>[] = [
  { title: { en: 'position', zh: '位置' }, value: (row) => String(row.position), align: 'right' },
  { title: { en: 'fingerprint', zh: '指纹' }, value: (row) => row.name },
  {
    title: { en: 'state', zh: '状态' },
    value: (row, view) => stateOf(row)[view.language],
    tone: (row) => (row.enabled ? (stateOf(row) === texts.enabled ? 'ok' : 'warn') : 'error'),
  },
  {
    title: { en: 'reason', zh: '原因' },
    value: (row, view) =>
      row.enabled ? (row.circuit?.cause ?? '') : row.reason || texts.byHand[view.language],
    narrow: 'elide',
  },
  { title: { en: 'since', zh: '时间' }, value: (row, view) => formatTime(row.time, view.now) },
];

function stateOf({ enabled, circuit, cooling = [] }: ChannelKey): Text {
  if (!enabled) return texts.disabled;
  if (circuit !== undefined) return texts.circuit;
  return cooling.length > 0 ? texts.cooling : texts.enabled;
}

export const channelKeysCommand: Command = command({
  name: 'channels keys',
  summary: {
    en: 'Keys of a channel that has several, by fingerprint',
    zh: '查看和管理多密钥渠道的各个密钥（只显示指纹）',
  },
  arguments: [idArgument],
  flags,
  async run({ arguments: { id: given }, values, call }) {
    const id = Number(given);
    let list = await call(channelKeys.list, { id });
    for (const { name } of flags) {
      const positions = values.text(name);
      if (positions === undefined) continue;
      const names = namesAt(list.keys, positions);
      list = await call(channelKeys.change, { id, action: name as KeyAction, names });
    }
    return listed({ items: list.keys, total: list.keys.length }, columns);
  },
});

const texts = {
  position: {
    en: 'The channel has no key {position}; it has {size}',
    zh: '没有第 {position} 个密钥，共 {size} 个',
  },
  enabled: { en: 'enabled', zh: '可用' },
  disabled: { en: 'disabled', zh: '已停用' },
  circuit: { en: 'circuit open', zh: '已熔断' },
  cooling: { en: 'cooling down', zh: '限流中' },
  byHand: { en: 'disabled by hand', zh: '手动停用' },
} as const;
