import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

export const abilities: Step = async (schema) => {
  await schema
    .createTable('abilities')
    .addColumn('group', 'text', required)
    .addColumn('model', 'text', required)
    .addColumn('channel_id', 'bigint', required)
    .addColumn('enabled', 'integer', zero)
    .addColumn('priority', 'bigint', zero)
    .addColumn('weight', 'bigint', zero)
    .addColumn('tag', 'text', empty)
    .addPrimaryKeyConstraint('abilities_pkey', ['group', 'model', 'channel_id'])
    .execute();
  await schema.createIndex('abilities_channel_id').on('abilities').column('channel_id').execute();
};
