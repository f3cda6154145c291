import type { Kysely, Selectable } from 'kysely';
import type { OptionRepository, StoredOption } from '../entities/option.ts';
import type { Database } from '../schema.ts';
import { type Access, changed } from './access.ts';

export const optionContext = (key: string): string => `options:${key}`;

export function createOptionRepository({
  read,
  write,
  vault,
  atomically,
}: Access): OptionRepository {
  const toOption = ({ key, value, sealed }: Selectable<Database['options']>): StoredOption => {
    if (sealed !== 1) return { key, value, hidden: false };
    const text = vault.read(value, optionContext(key));
    return text === undefined
      ? { key, value: '', hidden: true, unreadable: true }
      : { key, value: text, hidden: true };
  };
  const set = async (
    database: Kysely<Database>,
    { key, value, hidden }: StoredOption,
  ): Promise<void> => {
    const columns = {
      value: hidden ? vault.seal(value, optionContext(key)) : value,
      sealed: hidden ? 1 : 0,
    };
    await database
      .insertInto('options')
      .values({ key, ...columns })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(columns))
      .execute();
  };
  return {
    async list() {
      const rows = await read.selectFrom('options').selectAll().execute();
      // Collations differ between engines, so sort by code unit here.
      return rows.map(toOption).sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    async find(key) {
      const row = await read
        .selectFrom('options')
        .selectAll()
        .where('key', '=', key)
        .executeTakeFirst();
      return row === undefined ? null : toOption(row);
    },
    set: (option) => set(write, option),
    setMany: (options, removed = []) =>
      atomically(async (database) => {
        for (const option of options) await set(database, option);
        for (const key of removed)
          await database.deleteFrom('options').where('key', '=', key).execute();
      }),
    delete: async (key) =>
      changed(await write.deleteFrom('options').where('key', '=', key).executeTakeFirst()),
  };
}
