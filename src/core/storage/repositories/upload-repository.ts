import { sql } from 'kysely';
import type { FileSum, Upload, UploadRepository } from '../entities/upload.ts';
import { defineMapping, integer, nullableInteger, text } from '../mapping.ts';
import { type Access, changed } from './access.ts';

const mapping = defineMapping<'uploads', Upload>({
  id: integer('id'),
  userId: integer('user_id'),
  path: text('path'),
  mime: text('mime'),
  bytes: integer('bytes'),
  width: integer('width'),
  height: integer('height'),
  sha256: text('sha256'),
  createdAt: integer('created_at'),
  expiresAt: nullableInteger('expires_at'),
});

/** Sum of the column `bytes`. */
export const sumOfBytes = sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`;

export function createUploadRepository({ read, write }: Access): UploadRepository {
  const all = () => read.selectFrom('uploads');
  return {
    async insert(upload) {
      return (
        await write
          .insertInto('uploads')
          .values(mapping.write(upload))
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    },
    async findByPath(path) {
      const row = await all().selectAll().where('path', '=', path).executeTakeFirst();
      return row === undefined ? null : mapping.read(row);
    },
    async sumBytes(userId) {
      const query = all().select(sumOfBytes.as('bytes')).where('user_id', '=', userId);
      return (await query.executeTakeFirstOrThrow()).bytes;
    },
    async sum(): Promise<FileSum> {
      const query = all().select((select) => [
        select.fn.countAll<number>().as('files'),
        sumOfBytes.as('bytes'),
      ]);
      return query.executeTakeFirstOrThrow();
    },
    async page(userId, { offset, limit }) {
      let query = all();
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      const rows = await query
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await query
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(mapping.read), total };
    },
    async listExpired(now, limit, passed = 0) {
      const query = all().selectAll().where('expires_at', '<', now);
      return (await query.orderBy('id').limit(limit).offset(passed).execute()).map(mapping.read);
    },
    async listOrphans(after, limit) {
      const query = all()
        .selectAll()
        .where('id', '>', after)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('users')
                .select('users.id')
                .whereRef('users.id', '=', 'uploads.user_id')
                .where('users.deleted_at', 'is', null),
            ),
          ),
        );
      return (await query.orderBy('id').limit(limit).execute()).map(mapping.read);
    },
    async isReferred(path) {
      // Paths have no characters that LIKE treats specially.
      const pattern = `%/uploads/${path}%`;
      const model = await read
        .selectFrom('model_square')
        .select('model')
        .where('icon', 'like', pattern)
        .limit(1)
        .executeTakeFirst();
      if (model !== undefined) return true;
      const task = read
        .selectFrom('tasks')
        .select('id')
        .where('progress', '!=', sql.lit('100%'))
        .where('properties', 'like', pattern);
      return (await task.limit(1).executeTakeFirst()) !== undefined;
    },
    async setExpiry(id, expiresAt) {
      await write
        .updateTable('uploads')
        .set({ expires_at: expiresAt })
        .where('id', '=', id)
        .execute();
    },
    delete: async (id) =>
      changed(await write.deleteFrom('uploads').where('id', '=', id).executeTakeFirst()),
  };
}
