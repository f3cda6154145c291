import type { LossKind } from '../../vocabulary/loss-kinds.ts';
import type { BalanceReading, LossRepository, StoredLoss } from '../entities/loss.ts';
import { defineMapping, integer, text } from '../mapping.ts';
import type { Access } from './access.ts';

const losses = defineMapping<'losses', StoredLoss>({
  name: text('name'),
  kind: { column: 'kind', read: (stored) => stored as LossKind, write: (kind) => kind },
  channelId: integer('channel_id'),
  modelName: text('model_name'),
  detail: text('detail'),
  since: integer('since'),
  seen: integer('seen'),
});
const readings = defineMapping<'channel_balances', BalanceReading>({
  channelId: integer('channel_id'),
  readAt: integer('read_at'),
  amount: { column: 'amount', read: Number, write: (amount) => amount },
  currency: text('currency'),
});

export function createLossRepository({ read, write }: Access): LossRepository {
  return {
    async list() {
      const rows = await read
        .selectFrom('losses')
        .selectAll()
        .orderBy('since')
        .orderBy('name')
        .execute();
      return rows.map(losses.read);
    },
    async put(loss) {
      const { detail, seen } = loss;
      await write
        .insertInto('losses')
        .values(losses.write(loss))
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ detail, seen }))
        .execute();
    },
    async remove(names) {
      if (names.length === 0) return;
      await write.deleteFrom('losses').where('name', 'in', names).execute();
    },
    async addReading(reading) {
      const { amount, currency } = reading;
      await write
        .insertInto('channel_balances')
        .values(readings.write(reading))
        .onConflict((conflict) =>
          conflict.columns(['channel_id', 'read_at']).doUpdateSet({ amount, currency }),
        )
        .execute();
    },
    async readings(since) {
      const rows = await read
        .selectFrom('channel_balances')
        .selectAll()
        .where('read_at', '>=', since)
        .orderBy('channel_id')
        .orderBy('read_at')
        .execute();
      return rows.map(readings.read);
    },
    async prune(before) {
      await write.deleteFrom('channel_balances').where('read_at', '<', before).execute();
    },
  };
}
