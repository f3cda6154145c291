import { sql } from 'kysely';
import type { Midjourney, MidjourneyRepository } from '../entities/task.ts';
import { defineMapping, integer, quota, text } from '../mapping.ts';
import { type Access, changed } from './access.ts';
import { countRows } from './count-rows.ts';

const mapping = defineMapping<'midjourneys', Midjourney>({
  id: integer('id'),
  code: integer('code'),
  userId: integer('user_id'),
  tokenId: integer('token_id'),
  action: text('action'),
  mjId: text('mj_id'),
  prompt: text('prompt'),
  promptEn: text('prompt_en'),
  description: text('description'),
  state: text('state'),
  submitTime: integer('submit_time'),
  startTime: integer('start_time'),
  finishTime: integer('finish_time'),
  imageUrl: text('image_url'),
  videoUrl: text('video_url'),
  videoUrls: text('video_urls'),
  status: text('status'),
  progress: text('progress'),
  failReason: text('fail_reason'),
  channelId: integer('channel_id'),
  quota: quota('quota'),
  buttons: text('buttons'),
  properties: text('properties'),
});

export function createMidjourneyRepository({ read, write }: Access): MidjourneyRepository {
  const all = () => read.selectFrom('midjourneys');
  return {
    async find(id) {
      const row = await all().selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : mapping.read(row);
    },
    async findByMjId(mjId, userId) {
      let query = all().where('mj_id', '=', mjId);
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      const row = await query.selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
      return row === undefined ? null : mapping.read(row);
    },
    async page({ userId, channelId, mjId = '', action = '', status = '', from, to }, { offset, limit }) {
      let query = all().select('id');
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      if (channelId !== undefined) query = query.where('channel_id', '=', channelId);
      if (mjId !== '') query = query.where('mj_id', '=', mjId);
      if (action !== '') query = query.where('action', '=', action);
      if (status !== '') query = query.where('status', '=', status);
      if (from !== undefined) query = query.where('submit_time', '>=', from);
      if (to !== undefined) query = query.where('submit_time', '<=', to);
      const ids = query.orderBy('submit_time', 'desc').orderBy('id', 'desc').limit(limit).offset(offset);
      const rows = await all().selectAll().where('id', 'in', ids).orderBy('submit_time', 'desc').orderBy('id', 'desc').execute();
      return { items: rows.map(mapping.read), total: await countRows(read, query, { offset, limit }, rows.length) };
    },
    async insert(row) {
      return (await write.insertInto('midjourneys').values(mapping.write(row)).returning('id').executeTakeFirstOrThrow()).id;
    },
    async update(id, from, change) {
      const columns = { status: from, ...mapping.write(change) };
      return changed(
        await write.updateTable('midjourneys').set(columns).where('id', '=', id).where('status', '=', from).executeTakeFirst(),
      );
    },
    async listUnfinished(limit) {
      const rows = await all().selectAll().where('progress', '!=', sql.lit('100%')).orderBy('id').limit(limit).execute();
      return rows.map(mapping.read);
    },
  };
}
