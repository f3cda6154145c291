import { type Step, zero } from '../src/core/storage/columns.ts';

/** What was paid back of an order, in cents. */
export const refundedOrders: Step = async (schema) => {
  await schema.alterTable('top_ups').addColumn('refunded', 'bigint', zero).execute();
};
