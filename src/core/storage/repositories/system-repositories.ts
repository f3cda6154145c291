import type { LockRepository, SetupRepository } from '../entities/system.ts';
import { type Access, changed } from './access.ts';

export function createSetupRepository({ read, write }: Access): SetupRepository {
  return {
    async find() {
      const row = await read.selectFrom('setups').selectAll().executeTakeFirst();
      return row === undefined ? null : { version: row.version, initializedAt: row.initialized_at };
    },
    async insert({ version, initializedAt }) {
      const { numInsertedOrUpdatedRows = 0n } = await write
        .insertInto('setups')
        .values({ id: 1, version, initialized_at: initializedAt })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
  };
}

export function createLockRepository({ write }: Access): LockRepository {
  return {
    async acquire(name, owner, now, expiresAt, latest) {
      const { numInsertedOrUpdatedRows = 0n } = await write
        .insertInto('locks')
        .values({ name, owner, expires_at: expiresAt })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner, expires_at: expiresAt })
            .where((where) =>
              where.or([
                where('locks.owner', '=', owner),
                where('locks.expires_at', '<=', now),
                where('locks.expires_at', '>', latest),
              ]),
            ),
        )
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
    release: async (name, owner) =>
      changed(
        await write
          .deleteFrom('locks')
          .where('name', '=', name)
          .where('owner', '=', owner)
          .executeTakeFirst(),
      ),
    async prune(before) {
      await write.deleteFrom('locks').where('expires_at', '<', before).execute();
    },
  };
}
