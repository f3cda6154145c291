import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

/**
 * Responses that the gateway works on without a client, and the events that can be read again
 * (docs/rules/responses.md#background).
 */
export const backgroundResponses: Step = async (schema) => {
  await schema
    .createTable('background_responses')
    .addColumn('user_id', 'bigint', required)
    .addColumn('response_id', 'text', required)
    .addColumn('owner', 'text', required)
    .addColumn('status', 'text', required)
    .addColumn('streamed', 'integer', zero)
    .addColumn('last_number', 'bigint', zero)
    .addColumn('events_size', 'bigint', zero)
    .addColumn('lease_until', 'bigint', zero)
    .addPrimaryKeyConstraint('background_responses_pkey', ['user_id', 'response_id'])
    .execute();
  await schema
    .createIndex('background_responses_lease')
    .on('background_responses')
    .columns(['lease_until', 'user_id'])
    .execute();
  await schema
    .createTable('response_events')
    .addColumn('user_id', 'bigint', required)
    .addColumn('response_id', 'text', required)
    .addColumn('first_number', 'bigint', required)
    .addColumn('last_number', 'bigint', required)
    .addColumn('events', 'text', empty)
    .addPrimaryKeyConstraint('response_events_pkey', ['user_id', 'response_id', 'first_number'])
    .execute();
};
