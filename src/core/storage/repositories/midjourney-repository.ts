import { type Selectable, sql } from 'kysely';
import { drawingFilters } from '../../entities/task-filters.ts';
import type { Midjourney, MidjourneyRepository } from '../entities/task.ts';
import { filterConditions } from '../filter-conditions.ts';
import { defineMapping, integer, quota, text } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { type Access, changed, inPieces } from './access.ts';
import { countRows } from './count-rows.ts';

const mapping = defineMapping<'midjourneys', Omit<Midjourney, 'privateData'>>({
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

/**
 * Encryption context of a row: a drawing has no other name that is known before the insert and
 * never changes.
 */
export const drawingContext = (userId: number): string => `midjourneys:${userId}`;

export function createMidjourneyRepository({
  read,
  write,
  vault,
  atomically,
}: Access): MidjourneyRepository {
  const all = () => read.selectFrom('midjourneys');
  const toDrawing = (row: Selectable<Database['midjourneys']>): Midjourney => ({
    ...mapping.read(row),
    privateData:
      row.private_data === ''
        ? ''
        : (vault.read(row.private_data, drawingContext(row.user_id)) ?? ''),
  });
  const seal = (userId: number, privateData = ''): string =>
    privateData === '' ? '' : vault.seal(privateData, drawingContext(userId));
  return {
    async find(id) {
      const row = await all().selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toDrawing(row);
    },
    async findByMjId(mjId, userId) {
      let query = all().where('mj_id', '=', mjId);
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      const row = await query.selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
      return row === undefined ? null : toDrawing(row);
    },
    async page(filter, { offset, limit }) {
      let query = all()
        .select('id')
        .where((where) => where.and(filterConditions(drawingFilters, filter)));
      if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId);
      const ids = query
        .orderBy('submit_time', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset);
      const rows = await all()
        .selectAll()
        .where('id', 'in', ids)
        .orderBy('submit_time', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return {
        items: rows.map(toDrawing),
        total: await countRows(read, query, { offset, limit }, rows.length),
      };
    },
    async findByMjIds(mjIds, userId) {
      const found: Midjourney[] = [];
      for (const piece of inPieces([...new Set(mjIds)])) {
        let query = all().where('mj_id', 'in', piece);
        if (userId !== undefined) query = query.where('user_id', '=', userId);
        found.push(...(await query.selectAll().execute()).map(toDrawing));
      }
      return found.sort((a, b) => b.id - a.id);
    },
    sealPrivateData: seal,
    removeFinished: async (id, userId) =>
      changed(
        await write
          .deleteFrom('midjourneys')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .where('progress', '=', '100%')
          .executeTakeFirst(),
      ),
    async removeUnsent(id) {
      return changed(
        await write
          .deleteFrom('midjourneys')
          .where('id', '=', id)
          .where('status', '=', 'NOT_START')
          .executeTakeFirst(),
      );
    },
    async insert({ privateData, ...row }) {
      const columns = { ...mapping.write(row), private_data: seal(row.userId, privateData) };
      return (
        await write
          .insertInto('midjourneys')
          .values(columns)
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    },
    update: (id, from, { privateData, ...change }) =>
      atomically(async (database) => {
        const columns = { status: from, ...mapping.write(change) };
        const row = await database
          .updateTable('midjourneys')
          .set(columns)
          .where('id', '=', id)
          .where('status', '=', from)
          .returning('user_id')
          .executeTakeFirst();
        if (row === undefined || privateData === undefined) return row !== undefined;
        const sealed = { private_data: seal(row.user_id, privateData) };
        return changed(
          await database
            .updateTable('midjourneys')
            .set(sealed)
            .where('id', '=', id)
            .executeTakeFirst(),
        );
      }),
    async listUnfinished(limit, after = 0) {
      const unfinished = all()
        .selectAll()
        .where('progress', '!=', sql.lit('100%'))
        .where('id', '>', after);
      return (await unfinished.orderBy('id').limit(limit).execute()).map(toDrawing);
    },
  };
}
