import type { Step } from '../src/core/storage/columns.ts';

/**
 * Lists of channels are filtered by group: the index finds a channel's abilities in a group without
 * reading the whole group.
 */
export const channelGroups: Step = async (schema) => {
  await schema.dropIndex('abilities_channel_id').execute();
  await schema
    .createIndex('abilities_channel_id')
    .on('abilities')
    .columns(['channel_id', 'group'])
    .execute();
};
