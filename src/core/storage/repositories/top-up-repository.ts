import { sql } from 'kysely';
import { topUpFilters } from '../../entities/top-up-filters.ts';
import type { TopUpStatus } from '../../vocabulary/statuses.ts';
import type { TopUp, TopUpRepository } from '../entities/top-up.ts';
import { filterConditions } from '../filter-conditions.ts';
import { defineMapping, integer, quota, text } from '../mapping.ts';
import { type Access, changed, inPieces } from './access.ts';

const mapping = defineMapping<'top_ups', TopUp>({
  id: integer('id'),
  userId: integer('user_id'),
  amount: integer('amount'),
  moneyCents: integer('money'),
  quota: quota('quota'),
  tradeNo: text('trade_no'),
  status: { column: 'status', read: (stored) => stored as TopUpStatus, write: (status) => status },
  paymentMethod: text('payment_method'),
  goodsName: text('goods_name'),
  createTime: integer('create_time'),
  finishTime: integer('finish_time'),
  providerTradeNo: text('provider_trade_no'),
  topUpCode: text('top_up_code'),
  note: text('note'),
  refundedCents: integer('refunded'),
});

export function createTopUpRepository({ read, write, abilities }: Access): TopUpRepository {
  const all = () => read.selectFrom('top_ups');
  const order = (tradeNo: string) => write.updateTable('top_ups').where('trade_no', '=', tradeNo);
  return {
    async findByTradeNo(tradeNo) {
      const row = await all().selectAll().where('trade_no', '=', tradeNo).executeTakeFirst();
      return row === undefined ? null : mapping.read(row);
    },
    async methods(tradeNos) {
      const methods = new Map<string, string>();
      for (const piece of inPieces(tradeNos)) {
        const rows = await all()
          .select(['trade_no', 'payment_method'])
          .where('trade_no', 'in', piece)
          .execute();
        for (const row of rows) methods.set(row.trade_no, row.payment_method);
      }
      return methods;
    },
    async page({ userId, ...filter }, { offset, limit }) {
      let query = all().where((where) =>
        where.and(filterConditions(topUpFilters, filter, abilities)),
      );
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      const rows = await query
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await query
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(mapping.read), total };
    },
    async insert(topUp) {
      return (
        await write
          .insertInto('top_ups')
          .values(mapping.write(topUp))
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    },
    fail: async (tradeNo, note) =>
      changed(
        await order(tradeNo)
          .set({ status: 'failed', note })
          .where('status', '=', 'pending')
          .executeTakeFirst(),
      ),
    setNote: async ({ tradeNo, status, note: before }, note) =>
      changed(
        await order(tradeNo)
          .set({ note })
          .where('status', '=', status)
          .where('note', '=', before)
          .executeTakeFirst(),
      ),
    setRefunded: async (tradeNo, from, to) =>
      changed(
        await order(tradeNo)
          .set({ refunded: to })
          .where('refunded', '=', from)
          .where('status', '=', 'success')
          .executeTakeFirst(),
      ),
    async sumPaid({ from, to }, userId) {
      let query = all().where('status', '=', 'success');
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      if (from !== undefined) query = query.where('finish_time', '>=', from);
      if (to !== undefined) query = query.where('finish_time', '<=', to);
      return (
        await query
          .select(sql<number>`cast(coalesce(sum(money - refunded), 0) as bigint)`.as('paid'))
          .executeTakeFirstOrThrow()
      ).paid;
    },
    async listPending(before, afterId, limit) {
      const rows = await all()
        .selectAll()
        .where('status', '=', 'pending')
        .where('create_time', '<', before)
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(mapping.read);
    },
    async listPaid(since, afterId, limit) {
      const rows = await all()
        .selectAll()
        .where('status', '=', 'success')
        .where('finish_time', '>=', since)
        .whereRef('refunded', '<', 'money')
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(mapping.read);
    },
  };
}
