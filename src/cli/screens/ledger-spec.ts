/** The view of the ledger: postings of all users or of one, and the proof that they add up. */
import type { LedgerEntity } from '../../core/contract/entities.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { describeBreak } from '../show/chain-break.ts';
import { ledgerColumns } from '../show/columns.ts';
import type { EntityCommand, EntitySpec } from './entity-spec.ts';
import { pageSize } from './sizes.ts';
import { viewTitles } from './view.ts';

const verify: EntityCommand<LedgerEntity> = {
  action: 'verify',
  isForAll: true,
  async run(host) {
    host.showMessage(host.localize(texts.verifying), 'dim');
    const found = await host.client.ledger.verify({});
    const counts = {
      users: formatCount(found.users),
      postings: formatCount(found.postings),
      holds: found.stale_holds,
    };
    const [first] = found.drifts;
    const [broken] = found.chain.breaks;
    if (broken !== undefined)
      return host.showMessage(
        describeBreak(broken, (...text) => host.localize(...text)),
        'error',
      );
    if (found.ok || first === undefined) {
      const holds = found.stale_holds > 0 ? host.localize(texts.holds, counts) : '';
      host.showMessage(
        host.localize(found.ok ? texts.sound : texts.drift, counts) + holds,
        found.ok ? 'ok' : 'error',
      );
      return;
    }
    const { account, id, name, drift } = first;
    const which = { count: found.drifts.length, account, id, name, drift: formatCount(drift) };
    host.showMessage(host.localize(texts.drifts, which), 'error');
  },
};

export const ledgerSpec: EntitySpec<LedgerEntity> = {
  title: viewTitles.ledger,
  columns: ledgerColumns,
  keyOf: (row) => row.id,
  nameOf: (row) => `#${row.id}`,
  load: async ({ client }, filter, page) => {
    const request = { p: page + 1, page_size: pageSize };
    if (filter === '') return client.ledger.list(request);
    if (/^\d{1,15}$/.test(filter))
      return client.ledger.list({ ...request, user_id: Number(filter) });
    const { items } = await client.user.search({ p: 1, page_size: 1, keyword: filter });
    const [user] = items;
    return user === undefined
      ? { items: [], total: 0 }
      : client.ledger.list({ ...request, user_id: user.id });
  },
  commands: [verify],
  orders: [
    { title: { en: 'amount', zh: '金额' }, figure: (row) => Math.abs(row.amount) },
    { title: { en: 'kind', zh: '类别' }, figure: (row) => row.kind },
  ],
};

const texts = {
  verifying: { en: 'Verifying', zh: '正在核对' },
  sound: {
    en: 'The ledger adds up: {users} {users:user|users}, {postings} {postings:posting|postings}',
    zh: '账本相符：{users} 个用户，{postings} 个条目',
  },
  drift: { en: 'The ledger does not add up', zh: '账本不符' },
  holds: {
    en: '; {holds} {holds:hold|holds} without a request',
    zh: '；{holds} 笔预扣没有对应的请求',
  },
  drifts: {
    en: '{count} {count:difference|differences}, first {account} {id} {name}: {drift} (turnpike ledger verify lists all)',
    zh: '{count} 处偏差，首个为 {account} {id} {name}：{drift}（turnpike ledger verify 列出全部）',
  },
} as const;
