import { required, type Step, zero } from '../src/core/storage/columns.ts';

/**
 * What was charged through each key of channels that have several, by hour
 * (docs/rules/usage-logs.md#hourly-sums). Charges of before are not in it: their rows name a key by
 * its position, which changes when keys are removed.
 */
export const keyUsage: Step = async (schema, kinds) => {
  await kinds
    .clustered(schema.createTable('channel_key_usage'))
    .addColumn('channel_id', 'bigint', required)
    .addColumn('key_name', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('count', 'bigint', zero)
    .addColumn('quota', 'bigint', zero)
    .addPrimaryKeyConstraint('channel_key_usage_pkey', ['channel_id', 'key_name', 'created_at'])
    .execute();
};
