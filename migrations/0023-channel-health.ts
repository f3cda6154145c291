import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

/** Open circuits and cool-downs of channels, for the next start. Times in milliseconds. */
export const channelHealth: Step = async (schema) => {
  await schema
    .createTable('channel_health')
    .addColumn('health_key', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('model', 'text', empty)
    .addColumn('since', 'bigint', zero)
    .addColumn('until', 'bigint', required)
    .addColumn('pause', 'bigint', zero)
    .addColumn('requested', 'integer', zero)
    .addColumn('cause', 'text', empty)
    .addPrimaryKeyConstraint('channel_health_pkey', ['health_key', 'kind', 'model'])
    .execute();
};
