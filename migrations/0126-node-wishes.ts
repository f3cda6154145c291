import { empty, type Step, zero } from '../src/core/storage/columns.ts';

/** What is requested of a gateway, and how far it is (docs/rules/process.md#drain). */
export const nodeWishes: Step = async (schema) => {
  for (const column of ['wish', 'state'])
    await schema.alterTable('nodes').addColumn(column, 'text', empty).execute();
  await schema.alterTable('nodes').addColumn('under_way', 'bigint', zero).execute();
};
