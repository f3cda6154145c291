/**
 * Views from 3 on: channels, and the definitions of the other entities in the order of their keys.
 */
import type { ChannelEntity } from '../../core/contract/entities.ts';
import { channelStatuses } from '../../core/vocabulary/statuses.ts';
import { line, span } from '../kit/lines.ts';
import { channelColumns } from '../show/channel-columns.ts';
import { auditSpec } from './audit-spec.ts';
import { budgetSpec } from './budget-spec.ts';
import { channelPriority, channelWeight, editableChannelFields } from './channel-fields.ts';
import { drawTicks, healthSign } from './channel-health.ts';
import { codeSpec } from './code-spec.ts';
import { conversationSpec } from './conversation-spec.ts';
import { askForField, type EditableField } from './entity-fields.ts';
import type { EntityCommand, EntitySpec } from './entity-spec.ts';
import { EntityView } from './entity-view.ts';
import type { Action } from './keys.ts';
import { ledgerSpec } from './ledger-spec.ts';
import { optionSpec } from './option-spec.ts';
import { pageSize } from './sizes.ts';
import { drawingSpec, taskSpec } from './task-specs.ts';
import { tokenSpec } from './token-spec.ts';
import { userSpec } from './user-spec.ts';
import { type Host, type View, viewTitles } from './view.ts';

/** A key that changes one field of all selected rows. */
function fieldCommand<Row>(action: Action, field: EditableField<Row>): EntityCommand<Row> {
  return {
    action,
    run: (host, { rows, name, reload }) => askForField(host, field, { rows, name, saved: reload }),
  };
}

const channels: EntitySpec<ChannelEntity> = {
  title: viewTitles.channels,
  columns: channelColumns,
  keyOf: (row) => row.id,
  nameOf: (row) => row.name,
  state: (row, { glyphs }) => healthSign({ ...row, tripped: row.tripped === true }, glyphs),
  fields: editableChannelFields,
  commands: [fieldCommand('weight', channelWeight), fieldCommand('priority', channelPriority)],
  tags: { action: 'tag', title: { en: 'tag: {tag}', zh: '标签：{tag}' }, of: (row) => row.tag },
  orders: [
    { title: { en: 'priority', zh: '优先级' }, figure: (row) => row.priority },
    { title: { en: 'used', zh: '已用' }, figure: (row) => row.used_quota },
    { title: { en: 'response time', zh: '响应时间' }, figure: (row) => row.response_time },
    { title: { en: 'name', zh: '名称' }, figure: (row) => row.name },
  ],
  load: ({ client }, filter, page) =>
    filter === ''
      ? client.channel.list({ p: page, page_size: pageSize })
      : client.channel.search({ keyword: filter }),
  toggle: {
    isOn: (row) => row.status === channelStatuses.enabled,
    apply: async ({ client }, row, on) => {
      await client.channel.update({
        id: row.id,
        status: on ? channelStatuses.enabled : channelStatuses.disabled,
      });
    },
  },
  remove: async ({ client }, row) => {
    await client.channel.remove({ id: row.id });
  },
  test: async (host, row) => {
    host.showMessage(host.localize(texts.testing, { name: row.name }), 'dim');
    const { success, message, time } = await host.client.channel.test({ id: row.id });
    const [text, style] = success
      ? ([texts.tested, 'ok'] as const)
      : ([texts.failed, 'error'] as const);
    host.showMessage(
      host.localize(text, { name: row.name, message, seconds: time.toFixed(2) }),
      style,
    );
  },
  card: (host, row) => {
    const channel = host.live.overview?.channels.find((one) => one.id === row.id);
    if (channel === undefined) return [];
    return [
      line(''),
      line(
        span(`${host.localize(texts.recent)} `, 'dim'),
        ...drawTicks(channel.recent, 20, host.glyphs),
      ),
    ];
  },
};

export function makeEntityViews(host: Host): readonly View[] {
  return [
    new EntityView(host, channels),
    new EntityView(host, userSpec),
    new EntityView(host, tokenSpec),
    new EntityView(host, codeSpec),
    new EntityView(host, optionSpec),
    new EntityView(host, taskSpec),
    new EntityView(host, drawingSpec),
    new EntityView(host, ledgerSpec),
    new EntityView(host, budgetSpec(host.glyphs)),
    new EntityView(host, conversationSpec(host.glyphs)),
    new EntityView(host, auditSpec),
  ];
}

const texts = {
  testing: { en: 'Testing {name}', zh: '正在测试 {name}' },
  tested: { en: '{name} replied in {seconds} s', zh: '{name} 响应正常，用时 {seconds} 秒' },
  failed: {
    en: '{name} failed after {seconds} s: {message}',
    zh: '{name} 测试失败，用时 {seconds} 秒：{message}',
  },
  recent: { en: 'recent attempts', zh: '最近尝试' },
} as const;
