import { sql } from 'kysely';
import type { ModelSquareEntry, ModelSquareRepository, Upload, UploadRepository } from '../entities/catalog.ts';
import { defineMapping, integer, nullableInteger, nullableText, text } from '../mapping.ts';
import { type Access, changed } from './access.ts';

const entryMapping = defineMapping<'model_square', ModelSquareEntry>({
  model: text('model'),
  icon: text('icon'),
  description: text('description'),
  descriptionEn: text('description_en'),
  type: text('type'),
  typeEn: text('type_en'),
  tags: text('tags'),
  tagsEn: text('tags_en'),
  manufacturer: text('manufacturer'),
  priceType: integer('price_type'),
  context: text('context'),
  specification: text('specification'),
  publishTime: text('publish_time'),
  status: integer('status'),
  modelPrice: nullableText('model_price'),
  createdTime: integer('created_time'),
  updatedTime: integer('updated_time'),
});

export function createModelSquareRepository({ read, write }: Access): ModelSquareRepository {
  return {
    async list() {
      const query = read.selectFrom('model_square').selectAll();
      const rows = await query.orderBy('status').orderBy('publish_time', 'desc').orderBy('model').execute();
      return rows.map(entryMapping.read);
    },
    async find(model) {
      const row = await read.selectFrom('model_square').selectAll().where('model', '=', model).executeTakeFirst();
      return row === undefined ? null : entryMapping.read(row);
    },
    insert: async (entry) => void (await write.insertInto('model_square').values(entryMapping.write(entry)).execute()),
    async update(model, change) {
      const columns = entryMapping.write(change);
      if (Object.keys(columns).length === 0) return (await this.find(model)) !== null;
      return changed(await write.updateTable('model_square').set(columns).where('model', '=', model).executeTakeFirst());
    },
    delete: async (model) => changed(await write.deleteFrom('model_square').where('model', '=', model).executeTakeFirst()),
  };
}

const uploadMapping = defineMapping<'uploads', Upload>({
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

export function createUploadRepository({ read, write }: Access): UploadRepository {
  return {
    async insert(upload) {
      return (await write.insertInto('uploads').values(uploadMapping.write(upload)).returning('id').executeTakeFirstOrThrow()).id;
    },
    async findByPath(path) {
      const row = await read.selectFrom('uploads').selectAll().where('path', '=', path).executeTakeFirst();
      return row === undefined ? null : uploadMapping.read(row);
    },
    async sumBytes(userId) {
      const { bytes } = await read
        .selectFrom('uploads')
        .select(sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`.as('bytes'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return bytes;
    },
    async listExpired(now, limit) {
      const query = read.selectFrom('uploads').selectAll().where('expires_at', '<', now);
      return (await query.orderBy('id').limit(limit).execute()).map(uploadMapping.read);
    },
    delete: async (id) => changed(await write.deleteFrom('uploads').where('id', '=', id).executeTakeFirst()),
  };
}
