import type { Step } from '../src/core/storage/columns.ts';

/**
 * The lists of drawings and of tasks are read newest first, by the time of the submit and then by
 * id. The indexes contain what the lists filter by, so that rows that do not match are not fetched.
 */
export const taskLists: Step = async (schema) => {
  const lists = [
    { table: 'midjourneys', filters: ['status', 'action'] },
    { table: 'tasks', filters: ['status', 'action', 'platform'] },
  ];
  for (const { table, filters } of lists) {
    await schema.dropIndex(`${table}_user_id`).execute();
    for (const owner of ['user_id', 'channel_id']) {
      const columns = [owner, 'submit_time', 'id', ...filters];
      await schema.createIndex(`${table}_${owner}_time`).on(table).columns(columns).execute();
    }
    const columns = ['submit_time', 'id', ...filters, 'channel_id'];
    await schema.createIndex(`${table}_time`).on(table).columns(columns).execute();
  }
};
