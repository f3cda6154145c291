import { type Step, zero } from '../src/core/storage/columns.ts';

/** Codes that expire. 0: never. */
export const redemptionExpiry: Step = async (schema) => {
  await schema.alterTable('redemptions').addColumn('expired_time', 'bigint', zero).execute();
};
