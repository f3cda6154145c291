import type { RedemptionEntity } from '../../core/contract/entities.ts';
import { redemptionFields } from '../../core/entities/redemption.ts';
import { redemptionStatuses } from '../../core/vocabulary/statuses.ts';
import { redemptionColumns } from '../show/columns.ts';
import { createCodes } from './code-batch.ts';
import { declaredFields } from './declared-fields.ts';
import type { EntityCommand, EntitySpec } from './entity-spec.ts';
import { onOrOff } from './row-state.ts';
import { pageSize } from './sizes.ts';
import { viewTitles } from './view.ts';

const copy: EntityCommand<RedemptionEntity> = {
  action: 'copyCode',
  run(host, { rows, name }) {
    host.copy(rows.map(({ key }) => key).join('\n'));
    host.showMessage(host.localize(texts.copied, { name }), 'ok');
  },
};

const removeUsed: EntityCommand<RedemptionEntity> = {
  action: 'removeUsed',
  isForAll: true,
  run: (host, { reload }) =>
    host.ask(texts.removeUsed, '', async () => {
      const count = await host.client.redemption.removeInvalid({});
      await reload();
      host.showMessage(host.localize(texts.removed, { count }), 'ok');
    }),
};

const isUnused = (row: RedemptionEntity) => row.status === redemptionStatuses.unused;

export const codeSpec: EntitySpec<RedemptionEntity> = {
  title: viewTitles.codes,
  columns: redemptionColumns,
  keyOf: (row) => row.id,
  nameOf: (row) => row.name,
  state: onOrOff(isUnused),
  load: ({ client }, filter, page) => {
    const request = { p: page + 1, page_size: pageSize };
    return filter === ''
      ? client.redemption.list(request)
      : client.redemption.search({ ...request, keyword: filter });
  },
  toggle: {
    isOn: isUnused,
    apply: async ({ client }, row, on) => {
      const status = on ? redemptionStatuses.unused : redemptionStatuses.disabled;
      await client.redemption.update({ id: row.id, status, status_only: true });
    },
  },
  remove: async ({ client }, row) => {
    await client.redemption.remove({ id: row.id });
  },
  fields: declaredFields(
    redemptionFields,
    ['name', 'quota', 'expired_time'],
    ({ client }, row: RedemptionEntity, changes) =>
      client.redemption.update({ ...changes, id: row.id }),
  ),
  commands: [createCodes, copy, removeUsed],
  // Codes of a batch have one name.
  tags: { action: 'tag', title: { en: 'batch: {tag}', zh: '批次：{tag}' }, of: (row) => row.name },
  orders: [
    { title: { en: 'quota', zh: '额度' }, figure: (row) => row.quota },
    { title: { en: 'redeemed', zh: '兑换时间' }, figure: (row) => row.redeemed_time },
    { title: { en: 'name', zh: '名称' }, figure: (row) => row.name },
  ],
};

const texts = {
  copied: { en: 'Copied {name}', zh: '已复制 {name}' },
  removeUsed: {
    en: 'delete all used, disabled and expired codes?',
    zh: '删除所有已使用、已停用和已过期的兑换码？',
  },
  removed: { en: 'Deleted {count} {count:code|codes}', zh: '已删除 {count} 个兑换码' },
} as const;
