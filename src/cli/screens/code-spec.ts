import type { RedemptionEntity } from '../../core/contract/entities.ts';
import { redemptionFields } from '../../core/entities/redemption.ts';
import { redemptionStatuses } from '../../core/vocabulary/statuses.ts';
import { redemptionColumns } from '../show/columns.ts';
import { readAmount } from './amounts.ts';
import { declaredFields } from './declared-fields.ts';
import type { EntityCommand, EntitySpec } from './entity-spec.ts';
import { onOrOff } from './row-state.ts';
import { pageSize } from './sizes.ts';
import { type Host, viewTitles } from './view.ts';

/** Asks for amount, number and name, one after the other, and copies the new codes. */
const create: EntityCommand<RedemptionEntity> = {
  action: 'create',
  isForAll: true,
  run(host, { reload }) {
    host.prompt(texts.quota, '', '$1', (amount) => {
      const quota = readAmount(host, amount);
      host.prompt(texts.count, '', '10', (number) => {
        const count = readCount(host, number);
        host.prompt(texts.name, '', '', async (name) => {
          const { items } = await host.client.redemption.createBatch({ quota, count, name: name.trim() });
          host.copy(items.map(({ key }) => `${key}\n`).join(''));
          await reload();
          host.showMessage(host.localize(texts.created, { count: items.length }), 'ok');
        });
      });
    });
  },
};

function readCount(host: Host, text: string): number {
  if (!/^\s*\d{1,9}\s*$/.test(text)) throw new Error(host.localize(texts.notACount, { text }));
  return Number(text);
}

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
    const asked = { p: page + 1, page_size: pageSize };
    return filter === '' ? client.redemption.list(asked) : client.redemption.search({ ...asked, keyword: filter });
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
  fields: declaredFields(redemptionFields, ['name', 'quota', 'expired_time'], ({ client }, row: RedemptionEntity, changes) =>
    client.redemption.update({ ...changes, id: row.id }),
  ),
  commands: [create, copy, removeUsed],
  // Codes of a batch have one name.
  tags: { action: 'tag', title: { en: 'batch: {tag}', zh: '批次：{tag}' }, of: (row) => row.name },
  orders: [
    { title: { en: 'quota', zh: '额度' }, figure: (row) => row.quota },
    { title: { en: 'redeemed', zh: '兑换时间' }, figure: (row) => row.redeemed_time },
    { title: { en: 'name', zh: '名称' }, figure: (row) => row.name },
  ],
};

const texts = {
  quota: { en: 'amount per code (500000 or $1): ', zh: '每个兑换码的额度（500000 或 $1）：' },
  count: { en: 'number of codes: ', zh: '兑换码数量：' },
  name: { en: 'name (empty: the amount): ', zh: '名称（留空则用额度）：' },
  notACount: { en: '{text} is not a whole number', zh: '{text} 不是整数' },
  created: { en: 'Created {count} codes and copied them to the clipboard', zh: '已创建 {count} 个兑换码，并复制到剪贴板' },
  copied: { en: 'Copied {name}', zh: '已复制 {name}' },
  removeUsed: { en: 'delete all used, disabled and expired codes?', zh: '删除所有已使用、已停用和已过期的兑换码？' },
  removed: { en: 'Deleted {count} codes', zh: '已删除 {count} 个兑换码' },
} as const;
