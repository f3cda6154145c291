import type { Selectable } from 'kysely';
import type { OptionRepository, StoredOption } from '../entities/option.ts';
import type { Database } from '../schema.ts';
import { type Access, changed } from './access.ts';

export const optionContext = (key: string): string => `options:${key}`;

export function createOptionRepository({ read, write, vault }: Access): OptionRepository {
  const toOption = ({ key, value, sealed }: Selectable<Database['options']>): StoredOption => ({
    key,
    value: sealed === 1 ? vault.open(value, optionContext(key)) : value,
    hidden: sealed === 1,
  });
  return {
    async list() {
      const rows = await read.selectFrom('options').selectAll().execute();
      // Engines order letters by different rules; code points are the same everywhere.
      return rows.map(toOption).sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    async find(key) {
      const row = await read.selectFrom('options').selectAll().where('key', '=', key).executeTakeFirst();
      return row === undefined ? null : toOption(row);
    },
    async set({ key, value, hidden }) {
      const columns = { value: hidden ? vault.seal(value, optionContext(key)) : value, sealed: hidden ? 1 : 0 };
      await write
        .insertInto('options')
        .values({ key, ...columns })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(columns))
        .execute();
    },
    delete: async (key) => changed(await write.deleteFrom('options').where('key', '=', key).executeTakeFirst()),
  };
}
