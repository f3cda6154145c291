import type { Kysely } from 'kysely';
import type { Session, SessionRepository } from '../entities/session.ts';
import { defineMapping, integer, text } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { type Access, changed, changes } from './access.ts';

const mapping = defineMapping<'sessions', Session>({
  idHash: text('id_hash'),
  userId: integer('user_id'),
  createdAt: integer('created_at'),
  lastSeen: integer('last_seen'),
  expiresAt: integer('expires_at'),
  ip: text('ip'),
  userAgent: text('user_agent'),
  method: text('method'),
  confirmedAt: integer('confirmed_at'),
});

async function noteSeen(database: Kysely<Database>, userId: number, at: number): Promise<void> {
  await database
    .updateTable('users')
    .set({ seen_at: at })
    .where('id', '=', userId)
    .where('seen_at', '<', at)
    .execute();
}

export function createSessionRepository({ read, write, atomically }: Access): SessionRepository {
  return {
    insert: (session) =>
      atomically(async (database) => {
        await database.insertInto('sessions').values(mapping.write(session)).execute();
        await noteSeen(database, session.userId, session.lastSeen);
      }),
    async findByHash(idHash) {
      const row = await read
        .selectFrom('sessions')
        .selectAll()
        .where('id_hash', '=', idHash)
        .executeTakeFirst();
      return row === undefined ? null : mapping.read(row);
    },
    async listByUser(userId) {
      const rows = await read
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('last_seen', 'desc')
        .execute();
      return rows.map(mapping.read);
    },
    touch: (idHash, { lastSeen, expiresAt, ip }) =>
      atomically(async (database) => {
        const session = await database
          .updateTable('sessions')
          .set({ last_seen: lastSeen, expires_at: expiresAt, ip })
          .where('id_hash', '=', idHash)
          .returning('user_id')
          .executeTakeFirst();
        if (session === undefined) return false;
        await noteSeen(database, session.user_id, lastSeen);
        return true;
      }),
    confirm: async (idHash, at) =>
      changed(
        await write
          .updateTable('sessions')
          .set({ confirmed_at: at })
          .where('id_hash', '=', idHash)
          .executeTakeFirst(),
      ),
    delete: async (idHash) =>
      changed(await write.deleteFrom('sessions').where('id_hash', '=', idHash).executeTakeFirst()),
    async deleteByUser(userId, exceptHash = '') {
      return changes(
        await write
          .deleteFrom('sessions')
          .where('user_id', '=', userId)
          .where('id_hash', '!=', exceptHash)
          .executeTakeFirst(),
      );
    },
    purge: async (now) =>
      changes(await write.deleteFrom('sessions').where('expires_at', '<', now).executeTakeFirst()),
  };
}
