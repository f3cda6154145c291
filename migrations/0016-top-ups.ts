import { empty, required, type Step, uniqueIndexName, zero } from '../src/core/storage/columns.ts';

/** `money` is in cents, so that sums are exact. */
export const topUps: Step = async (schema, kinds) => {
  await kinds
    .id(schema.createTable('top_ups'))
    .addColumn('user_id', 'bigint', required)
    .addColumn('amount', 'bigint', zero)
    .addColumn('money', 'bigint', zero)
    .addColumn('quota', 'bigint', zero)
    .addColumn('trade_no', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('payment_method', 'text', empty)
    .addColumn('goods_name', 'text', empty)
    .addColumn('create_time', 'bigint', zero)
    .addColumn('finish_time', 'bigint', zero)
    .addColumn('provider_trade_no', 'text', empty)
    .addColumn('top_up_code', 'text', empty)
    .addColumn('note', 'text', empty)
    .execute();
  await schema
    .createIndex(uniqueIndexName('top_ups', 'trade_no'))
    .on('top_ups')
    .unique()
    .column('trade_no')
    .execute();
  await schema
    .createIndex('top_ups_user_id')
    .on('top_ups')
    .columns(kinds.thenId(['user_id']))
    .execute();
};
