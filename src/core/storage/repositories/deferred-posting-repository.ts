import type { DeferredPosting, DeferredPostingRepository } from '../entities/deferred-posting.ts';
import { defineMapping, integer, text } from '../mapping.ts';
import type { Access } from './access.ts';

const mapping = defineMapping<'deferred_postings', DeferredPosting>({
  userId: integer('user_id'),
  kind: {
    column: 'kind',
    read: (stored) => stored as DeferredPosting['kind'],
    write: (value) => value,
  },
  amount: integer('amount'),
  reference: text('reference'),
  log: text('log'),
  createdAt: integer('created_at'),
});

export function createDeferredPostingRepository({
  read,
  write,
}: Access): DeferredPostingRepository {
  return {
    insert: async (posting) =>
      void (await write.insertInto('deferred_postings').values(mapping.write(posting)).execute()),
    list: async (limit, afterId = 0) =>
      (
        await read
          .selectFrom('deferred_postings')
          .selectAll()
          .where('id', '>', afterId)
          .orderBy('id')
          .limit(limit)
          .execute()
      ).map((row) => ({ ...mapping.read(row), id: row.id })),
    remove: async ({ kind, reference }) =>
      void (await write
        .deleteFrom('deferred_postings')
        .where('kind', '=', kind)
        .where('reference', '=', reference)
        .execute()),
  };
}
