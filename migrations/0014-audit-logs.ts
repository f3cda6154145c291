import { empty, required, type Step } from '../src/core/storage/columns.ts';

export const auditLogs: Step = async (schema, kinds) => {
  await kinds
    .id(schema.createTable('audit_logs'))
    .addColumn('actor_id', 'bigint', required)
    .addColumn('actor_role', 'integer', required)
    .addColumn('action', 'text', required)
    .addColumn('target', 'text', empty)
    .addColumn('detail', 'text', empty)
    .addColumn('ip', 'text', empty)
    .addColumn('created_at', 'bigint', required)
    .execute();
};
