import { sql } from 'kysely';
import type { NodeWish } from '../../vocabulary/nodes.ts';
import type { Node, NodeRepository } from '../entities/node.ts';
import { defineMapping, integer, text } from '../mapping.ts';
import type { Access } from './access.ts';

const node = defineMapping<'nodes', Node>({
  id: text('id'),
  host: text('host'),
  dataDir: text('data_dir'),
  address: text('address'),
  version: text('version'),
  startedAt: integer('started_at'),
  seenAt: integer('seen_at'),
  wish: text('wish'),
  state: text('state'),
  underWay: integer('under_way'),
});

export function createNodeRepository({ read, write, abilities }: Access): NodeRepository {
  const before = (seconds: number) => sql<number>`${abilities.now} - ${seconds}`;
  return {
    async announce(announced) {
      const row = await write
        .insertInto('nodes')
        .values({
          ...node.write({ ...announced, startedAt: 0, seenAt: 0 }),
          started_at: abilities.now,
          seen_at: abilities.now,
        })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({
            address: announced.address,
            seen_at: abilities.now,
            state: announced.state,
            under_way: announced.underWay,
          }),
        )
        .returning('wish')
        .executeTakeFirstOrThrow();
      return row.wish as NodeWish;
    },
    async setWish(ids, wish) {
      if (ids.length === 0) return;
      await write.updateTable('nodes').set({ wish }).where('id', 'in', ids).execute();
    },
    async list(seconds) {
      const rows = await read
        .selectFrom('nodes')
        .selectAll()
        .where('seen_at', '>', before(seconds))
        .orderBy('started_at')
        .orderBy('id')
        .execute();
      return rows.map(node.read);
    },
    async remove(id) {
      await write.deleteFrom('nodes').where('id', '=', id).execute();
    },
    async prune(seconds) {
      await write.deleteFrom('nodes').where('seen_at', '<', before(seconds)).execute();
    },
  };
}
