import type { Insertable } from 'kysely';
import type { ChannelHealthRepository, StoredChannelHealth } from '../entities/channel-health.ts';
import { defineMapping, flag, integer, text } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { storableText } from '../storable-text.ts';
import { type Access, inPieces } from './access.ts';

const mapping = defineMapping<'channel_health', StoredChannelHealth>({
  healthKey: text('health_key'),
  kind: {
    column: 'kind',
    read: (stored) => (stored === 'circuit' ? 'circuit' : 'cool_down'),
    write: (kind) => kind,
  },
  model: { column: 'model', read: String, write: storableText },
  since: integer('since'),
  until: integer('until'),
  pause: integer('pause'),
  requested: flag('requested'),
  cause: { column: 'cause', read: String, write: storableText },
});

export function createChannelHealthRepository({
  read,
  atomically,
}: Access): ChannelHealthRepository {
  return {
    async list() {
      const rows = await read
        .selectFrom('channel_health')
        .selectAll()
        .orderBy('health_key')
        .orderBy('model')
        .execute();
      return rows.map(mapping.read);
    },
    replace: (rows) =>
      atomically(async (database) => {
        await database.deleteFrom('channel_health').execute();
        for (const piece of inPieces(rows.map(mapping.write).sort(byKey))) {
          const insert = database.insertInto('channel_health').values(piece);
          await insert.onConflict((conflict) => conflict.doNothing()).execute();
        }
      }),
  };
}

/**
 * The order of the primary key: two processes that write at once must not wait for each other's
 * rows in turn.
 */
function byKey(
  one: Insertable<Database['channel_health']>,
  other: Insertable<Database['channel_health']>,
): number {
  const [a, b] = [one, other].map(
    ({ health_key, kind, model }) => `${health_key} ${kind} ${model}`,
  );
  return a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1;
}
