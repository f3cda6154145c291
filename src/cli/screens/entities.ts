/** Definitions of the entities in views 3 to 7. */
import type { ChannelEntity, RedemptionEntity, TokenEntity, UserEntity } from '../../core/contract/entities.ts';
import { isBuiltOption, isOptionKey } from '../../core/options/index.ts';
import { channelStatuses, redemptionStatuses, tokenStatuses, userStatuses } from '../../core/vocabulary/statuses.ts';
import { effectiveTokenStatus } from '../../core/vocabulary/token-state.ts';
import { effectiveUserStatus } from '../../core/vocabulary/user-state.ts';
import { line, span } from '../kit/lines.ts';
import { channelColumns } from '../show/channel-columns.ts';
import { redemptionColumns, tokenColumns, userColumns } from '../show/columns.ts';
import { toneFor } from '../show/labels.ts';
import { channelWeight, editableChannelFields } from './channel-fields.ts';
import { drawTicks, healthSign } from './channel-health.ts';
import type { EntitySpec } from './entity-spec.ts';
import { EntityView } from './entity-view.ts';
import { type Host, type View, viewTitles } from './view.ts';

const firstPage = { p: 1, page_size: 100 } as const;

function onOrOff<Row>(isOn: (row: Row) => boolean): NonNullable<EntitySpec<Row>['state']> {
  return (row, { glyphs }) => (isOn(row) ? { glyph: glyphs.on, tone: 'ok' } : { glyph: glyphs.off, tone: 'dim' });
}

const channels: EntitySpec<ChannelEntity> = {
  title: viewTitles.channels,
  columns: channelColumns,
  keyOf: (row) => row.id,
  nameOf: (row) => row.name,
  state: (row, { glyphs }) => healthSign({ ...row, tripped: row.tripped === true }, glyphs),
  fields: editableChannelFields,
  weight: channelWeight,
  tagOf: (row) => row.tag,
  load: ({ client }, filter, page) =>
    filter === '' ? client.channel.list({ p: page, page_size: 100 }) : client.channel.search({ keyword: filter }),
  toggle: {
    isOn: (row) => row.status === channelStatuses.enabled,
    apply: async ({ client }, row, on) => {
      await client.channel.update({ id: row.id, status: on ? channelStatuses.enabled : channelStatuses.disabled });
    },
  },
  remove: async ({ client }, row) => {
    await client.channel.remove({ id: row.id });
  },
  test: async (host, row) => {
    host.showMessage(host.localize(texts.testing, { name: row.name }), 'dim');
    const { time } = await host.client.channel.test({ id: row.id });
    host.showMessage(host.localize(texts.tested, { name: row.name, seconds: time.toFixed(2) }), 'ok');
  },
  card: (host, row) => {
    const channel = host.live.overview?.lanes.find((one) => one.id === row.id);
    if (channel === undefined) return [];
    return [line(''), line(span(`${host.localize(texts.recent)} `, 'dim'), ...drawTicks(channel.recent, 20, host.glyphs))];
  },
};

const isActive = (user: UserEntity) => effectiveUserStatus(user) === userStatuses.active;

const users: EntitySpec<UserEntity> = {
  title: viewTitles.users,
  columns: userColumns,
  keyOf: (row) => row.id,
  nameOf: (row) => row.username,
  state: onOrOff(isActive),
  load: ({ client }, filter) =>
    filter === '' ? client.user.list(firstPage) : client.user.search({ ...firstPage, keyword: filter }),
  toggle: {
    isOn: isActive,
    apply: async ({ client }, row, on) => {
      await client.user.manage({ id: row.id, action: on ? 'enable' : 'disable' });
    },
  },
};

const tokens: EntitySpec<TokenEntity & { readonly username: string }> = {
  title: viewTitles.tokens,
  columns: tokenColumns,
  keyOf: (row) => row.id,
  nameOf: (row) => row.name,
  state: (row, { glyphs, cells }) => {
    const status = effectiveTokenStatus(row, cells.now);
    const glyph = status === tokenStatuses.enabled ? glyphs.on : status === tokenStatuses.disabled ? glyphs.off : glyphs.failed;
    return { glyph, tone: toneFor('status.token', status) };
  },
  load: ({ client }, filter) => client.userTokens.list({ ...firstPage, keyword: filter }),
  toggle: {
    isOn: (row) => row.status === tokenStatuses.enabled,
    apply: async ({ client }, row, on) => {
      await client.userTokens.update({ id: row.id, status: on ? tokenStatuses.enabled : tokenStatuses.disabled });
    },
  },
  remove: async ({ client }, row) => {
    await client.userTokens.remove({ id: row.id });
  },
};

const codes: EntitySpec<RedemptionEntity> = {
  title: viewTitles.codes,
  columns: redemptionColumns,
  keyOf: (row) => row.id,
  nameOf: (row) => row.name,
  state: onOrOff((row) => row.status === redemptionStatuses.unused),
  load: ({ client }, filter) =>
    filter === '' ? client.redemption.list(firstPage) : client.redemption.search({ ...firstPage, keyword: filter }),
  toggle: {
    isOn: (row) => row.status === redemptionStatuses.unused,
    apply: async ({ client }, row, on) => {
      const status = on ? redemptionStatuses.unused : redemptionStatuses.disabled;
      await client.redemption.update({ id: row.id, status, status_only: true });
    },
  },
  remove: async ({ client }, row) => {
    await client.redemption.remove({ id: row.id });
  },
};

/** Options have no numeric id, so their position in the sorted list is the key. */
interface OptionRow {
  readonly place: number;
  readonly key: string;
  readonly value: string;
  readonly configured?: boolean | undefined;
}
const options: EntitySpec<OptionRow> = {
  title: viewTitles.options,
  columns: [
    { title: { en: 'key', zh: '名称' }, value: (row) => row.key, width: 32 },
    {
      title: { en: 'value', zh: '值' },
      value: (row, view) => {
        if (row.configured === undefined) return row.value;
        return row.configured ? texts.secretSet[view.language] : texts.secretUnset[view.language];
      },
      tone: (row) => (row.configured === undefined ? 'plain' : 'dim'),
    },
  ],
  keyOf: (row) => row.place,
  nameOf: (row) => row.key,
  load: async ({ client }, filter) => {
    const rows = (await client.option.list({ with_flags: true })).sort((a, b) => (a.key < b.key ? -1 : 1));
    const items = rows
      .map((row, place) => ({ ...row, place }))
      .filter((row) => row.key.toLowerCase().includes(filter.toLowerCase()) && (!isOptionKey(row.key) || isBuiltOption(row.key)));
    return { items, total: items.length };
  },
};

export function makeEntityViews(host: Host): readonly View[] {
  return [
    new EntityView(host, channels),
    new EntityView(host, users),
    new EntityView(host, tokens),
    new EntityView(host, codes),
    new EntityView(host, options),
  ];
}

const texts = {
  testing: { en: 'Testing {name}', zh: '正在测试 {name}' },
  tested: { en: '{name} replied in {seconds} s', zh: '{name} 响应正常，用时 {seconds} 秒' },
  recent: { en: 'recent attempts', zh: '最近尝试' },
  secretSet: { en: 'set', zh: '已设置' },
  secretUnset: { en: 'not set', zh: '未设置' },
} as const;
