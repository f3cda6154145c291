/**
 * `turnpike channels keys`: each key of a channel that has several
 * (docs/rules/channels.md#single-keys).
 */
import type { ChannelKey, KeyAction } from '../../../core/contract/channel-keys.ts';
import type { OutputOf } from '../../../core/contract/endpoint.ts';
import { api } from '../../../core/contract/index.ts';
import type { Flag } from '../../base/flags.ts';
import type { Text } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import {
  type Command,
  type Context,
  command,
  failedWith,
  idArgument,
  listed,
} from '../../command/command.ts';
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
const addFlag: Flag = {
  name: 'add-stdin',
  kind: 'switch',
  summary: {
    en: 'Add keys from standard input, one per line; those that are there already are named',
    zh: '从标准输入添加密钥，每行一个；已有的会列出并跳过',
  },
};
const testFlags: readonly Flag[] = [
  {
    name: 'test',
    kind: 'text',
    placeholder: 'N,N|all',
    summary: {
      en: 'Test these keys, or all of them, with a small request each; exit code 1 on failure',
      zh: '逐个测试这些（或 all 全部）密钥，各发送一个小请求；有失败时退出码为 1',
    },
  },
  {
    name: 'disable-failed',
    kind: 'switch',
    summary: {
      en: 'With --test: disable the keys that failed by their own fault, with their failure as reason',
      zh: '配合 --test：停用因自身原因失败的密钥，并以失败信息为原因',
    },
  },
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

type TestedKey = ChannelKey & { readonly test?: OutputOf<typeof channelKeys.test> };

/** What was charged through the key. */
const spentColumn = (title: Text, quota: (row: TestedKey) => number): Column<TestedKey> => ({
  title,
  value: (row, view) => view.money.total(quota(row)),
  tone: () => 'money',
  align: 'right',
});

const columns: readonly Column<TestedKey>[] = [
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
  spentColumn({ en: 'today', zh: '今日' }, (row) => row.spent_today),
  spentColumn({ en: '30 days', zh: '30 天' }, (row) => row.spent_30_days),
  spentColumn({ en: 'spent', zh: '累计' }, (row) => row.spent),
];
const testColumn: Column<TestedKey> = {
  title: { en: 'test', zh: '测试' },
  value: ({ test }, view) => {
    if (test === undefined) return '';
    return test.success
      ? `${test.time.toFixed(2)} ${view.language === 'zh' ? '秒' : 's'}`
      : test.message;
  },
  tone: ({ test }) => (test?.success === false ? 'error' : 'plain'),
};

/** One after the other, so that no upstream gets two requests at once. */
async function testKeys(
  { call, output }: Context,
  id: number,
  keys: readonly ChannelKey[],
): Promise<ReadonlyMap<string, OutputOf<typeof channelKeys.test>>> {
  const results = new Map<string, OutputOf<typeof channelKeys.test>>();
  for (const { name, position } of keys) {
    output.note(texts.testing, { position });
    results.set(name, await call(channelKeys.test, { id, name }));
  }
  return results;
}

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
  flags: [addFlag, ...flags, ...testFlags],
  async run(context) {
    const { values, call } = context;
    const id = Number(context.arguments.id);
    const tested = values.text('test');
    if (tested === undefined && values.on('disable-failed')) throw new UsageError(texts.untested);
    if (values.on('add-stdin')) {
      const keys = await context.terminal.readAll('--add-stdin');
      const { added, repeated } = await call(channelKeys.add, { id, keys });
      context.output.note(texts.added, { added });
      for (const one of repeated) context.output.note(texts.repeated, one);
    }
    let list = await call(channelKeys.list, { id });
    // All positions are read before anything changes: a wrong one changes nothing.
    const { keys } = list;
    const changes = flags.flatMap(({ name }) => {
      const positions = values.text(name);
      return positions === undefined
        ? []
        : [{ action: name as KeyAction, names: namesAt(keys, positions) }];
    });
    const names =
      tested === undefined || tested === 'all' ? undefined : new Set(namesAt(keys, tested));
    for (const change of changes) list = await call(channelKeys.change, { id, ...change });
    if (tested === undefined) return listed({ items: list.keys, total: list.keys.length }, columns);
    const chosen = list.keys.filter(({ name }) => names?.has(name) !== false);
    const results = await testKeys(context, id, chosen);
    const failed = chosen.filter(
      ({ name, enabled }) => enabled && results.get(name)?.at_fault === true,
    );
    if (values.on('disable-failed'))
      for (const [reason, keys] of Map.groupBy(
        failed,
        ({ name }) => results.get(name)?.message ?? '',
      ))
        list = await call(channelKeys.change, {
          id,
          action: 'disable',
          names: keys.map(({ name }) => name),
          reason,
        });
    const items = list.keys.map((key) => ({ ...key, test: results.get(key.name) }));
    const outcome = listed({ items, total: items.length }, [...columns, testColumn]);
    return [...results.values()].every(({ success }) => success) ? outcome : failedWith(outcome);
  },
});

const texts = {
  added: { en: 'Keys added: {added}', zh: '已添加 {added} 个密钥' },
  repeated: {
    en: 'Left out: key {place} of the input is key {position} of the channel',
    zh: '已跳过：输入的第 {place} 个与渠道的第 {position} 个相同',
  },
  position: {
    en: 'The channel has no key {position}; it has {size}',
    zh: '没有第 {position} 个密钥，共 {size} 个',
  },
  untested: { en: '--disable-failed needs --test', zh: '--disable-failed 需与 --test 一起使用' },
  testing: { en: 'Testing key {position}', zh: '正在测试第 {position} 个密钥' },
  enabled: { en: 'enabled', zh: '可用' },
  disabled: { en: 'disabled', zh: '已停用' },
  circuit: { en: 'circuit open', zh: '已熔断' },
  cooling: { en: 'cooling down', zh: '限流中' },
  byHand: { en: 'disabled by hand', zh: '手动停用' },
} as const;
