import type { ModelSquareEntry, ModelSquareRepository } from '../entities/catalog.ts';
import { defineMapping, integer, nullableText, text } from '../mapping.ts';
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
      const rows = await query
        .orderBy('status')
        .orderBy('publish_time', 'desc')
        .orderBy('model')
        .execute();
      return rows.map(entryMapping.read);
    },
    async find(model) {
      const row = await read
        .selectFrom('model_square')
        .selectAll()
        .where('model', '=', model)
        .executeTakeFirst();
      return row === undefined ? null : entryMapping.read(row);
    },
    insert: async (entry) =>
      void (await write.insertInto('model_square').values(entryMapping.write(entry)).execute()),
    async update(model, change) {
      const columns = entryMapping.write(change);
      if (Object.keys(columns).length === 0) return (await this.find(model)) !== null;
      return changed(
        await write
          .updateTable('model_square')
          .set(columns)
          .where('model', '=', model)
          .executeTakeFirst(),
      );
    },
    delete: async (model) =>
      changed(await write.deleteFrom('model_square').where('model', '=', model).executeTakeFirst()),
  };
}
