import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

/** Times are in milliseconds. */
export const midjourneys: Step = async (schema, kinds) => {
  await kinds
    .id(schema.createTable('midjourneys'))
    .addColumn('code', 'integer', zero)
    .addColumn('user_id', 'bigint', required)
    .addColumn('token_id', 'bigint', zero)
    .addColumn('action', 'text', empty)
    .addColumn('mj_id', 'text', empty)
    .addColumn('prompt', 'text', empty)
    .addColumn('prompt_en', 'text', empty)
    .addColumn('description', 'text', empty)
    .addColumn('state', 'text', empty)
    .addColumn('submit_time', 'bigint', zero)
    .addColumn('start_time', 'bigint', zero)
    .addColumn('finish_time', 'bigint', zero)
    .addColumn('image_url', 'text', empty)
    .addColumn('video_url', 'text', empty)
    .addColumn('video_urls', 'text', empty)
    .addColumn('status', 'text', empty)
    .addColumn('progress', 'text', empty)
    .addColumn('fail_reason', 'text', empty)
    .addColumn('channel_id', 'bigint', zero)
    .addColumn('quota', 'bigint', zero)
    .addColumn('buttons', 'text', empty)
    .addColumn('properties', 'text', empty)
    .execute();
  await schema
    .createIndex('midjourneys_user_id')
    .on('midjourneys')
    .columns(kinds.thenId(['user_id']))
    .execute();
  await schema.createIndex('midjourneys_mj_id').on('midjourneys').column('mj_id').execute();
  await schema
    .createIndex('midjourneys_unfinished')
    .on('midjourneys')
    .columns(['id', 'progress'])
    .where('progress', '!=', '100%')
    .execute();
};
