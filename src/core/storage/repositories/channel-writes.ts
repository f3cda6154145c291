/** What changes channels; their abilities follow. */
import type { Kysely, Updateable } from 'kysely';
import { noteCurrency } from '../../vocabulary/balances.ts';
import { addDisabledKey } from '../../vocabulary/disabled-keys.ts';
import { channelStatuses } from '../../vocabulary/statuses.ts';
import { noteTestError } from '../../vocabulary/test-errors.ts';
import type { Channel, ChannelChange, ChannelRepository, StatusNote } from '../entities/channel.ts';
import type { Database } from '../schema.ts';
import { abilityColumns, rebuildAbilities } from './ability-rows.ts';
import { type Access, changed, inPieces } from './access.ts';
import { createChannelRows, noteStatus } from './channel-rows.ts';

type ChannelWrites = Pick<
  ChannelRepository,
  | 'insertMany'
  | 'update'
  | 'updateByTag'
  | 'setTag'
  | 'setStatus'
  | 'setStatusMany'
  | 'disableKey'
  | 'editKeys'
  | 'setStatusByTag'
  | 'updateTestResult'
  | 'updateBalance'
  | 'delete'
  | 'deleteDisabled'
>;

export function createChannelWrites(
  { vault, atomically }: Access,
  find: (id: number) => Promise<Channel | null>,
): ChannelWrites {
  const rows = createChannelRows(vault);

  const update = async (
    database: Kysely<Database>,
    id: number,
    change: ChannelChange,
  ): Promise<boolean> => {
    const columns = rows.update(change);
    if (Object.keys(columns).length > 0) {
      if (
        !changed(
          await database
            .updateTable('channels')
            .set(columns)
            .where('id', '=', id)
            .executeTakeFirst(),
        )
      )
        return false;
    }
    if (abilityColumns.some((column) => column in columns)) await rebuildAbilities(database, [id]);
    return true;
  };
  const idsOfTag = async (database: Kysely<Database>, tag: string): Promise<readonly number[]> =>
    (
      await database
        .selectFrom('channels')
        .select('id')
        .where('tag', '=', tag)
        .orderBy('id')
        .execute()
    ).map(({ id }) => id);

  /**
   * The conditional update runs first: on PostgreSQL it locks the row until the note is written.
   */
  const setStatus = async (
    database: Kysely<Database>,
    id: number,
    to: number,
    note: StatusNote,
    from?: number,
  ): Promise<boolean> => {
    let query = database.updateTable('channels').set({ status: to }).where('id', '=', id);
    query = from === undefined ? query.where('status', '!=', to) : query.where('status', '=', from);
    const row = await query.returning('other_info').executeTakeFirst();
    if (row === undefined) return false;
    await database
      .updateTable('channels')
      .set({ other_info: noteStatus(row.other_info, to, note) })
      .where('id', '=', id)
      .execute();
    await rebuildAbilities(database, [id]);
    return true;
  };
  /**
   * Writes columns and the related entry in `other_info`. Does nothing if the channel does not
   * exist.
   */
  const updateNoted = async (
    database: Kysely<Database>,
    id: number,
    columns: Updateable<Database['channels']>,
    note: (otherInfo: string) => string,
  ): Promise<void> => {
    const written = database.updateTable('channels').set(columns).where('id', '=', id);
    const row = await written.returning('other_info').executeTakeFirst();
    if (row === undefined) return;
    await database
      .updateTable('channels')
      .set({ other_info: note(row.other_info) })
      .where('id', '=', id)
      .execute();
  };
  const remove = async (database: Kysely<Database>, ids: readonly number[]): Promise<number> => {
    let removed = 0n;
    for (const piece of inPieces(ids)) {
      await database
        .deleteFrom('abilities')
        .where('channel_id', 'in', [...piece])
        .execute();
      removed += (
        await database
          .deleteFrom('channels')
          .where('id', 'in', [...piece])
          .executeTakeFirst()
      ).numDeletedRows;
    }
    return Number(removed);
  };

  return {
    insertMany: (channels) =>
      atomically(async (database) => {
        const ids: number[] = [];
        for (const channel of channels) {
          const columns = rows.insert(channel);
          ids.push(
            (
              await database
                .insertInto('channels')
                .values(columns)
                .returning('id')
                .executeTakeFirstOrThrow()
            ).id,
          );
        }
        await rebuildAbilities(database, ids);
        return ids;
      }),
    async update(id, change) {
      if (Object.values(change).every((value) => value === undefined))
        return (await find(id)) !== null;
      return atomically((database) => update(database, id, change));
    },
    updateByTag: (tag, change) =>
      atomically(async (database) => {
        const ids = await idsOfTag(database, tag);
        for (const id of ids) await update(database, id, change);
        return ids.length;
      }),
    setTag: (ids, tag) =>
      atomically(async (database) => {
        let touched = 0;
        for (const id of ids) touched += (await update(database, id, { tag })) ? 1 : 0;
        return touched;
      }),
    setStatus: (id, from, to, note) =>
      atomically((database) => setStatus(database, id, to, note, from)),
    setStatusMany: (channels, to, note) =>
      atomically(async (database) => {
        for (const { id, status } of channels) await setStatus(database, id, to, note, status);
      }),
    disableKey: (id, keyName, note) =>
      atomically(async (database) => {
        // On PostgreSQL an update that changes nothing locks the row until the list is written.
        const locked = database
          .updateTable('channels')
          .set((row) => ({ other_info: row.ref('other_info') }));
        const found = await locked.where('id', '=', id).returning('other_info').executeTakeFirst();
        if (found === undefined) return false;
        const otherInfo = addDisabledKey(found.other_info, keyName, note);
        await database
          .updateTable('channels')
          .set({ other_info: otherInfo })
          .where('id', '=', id)
          .execute();
        return true;
      }),
    editKeys: (id, edit) =>
      atomically(async (database) => {
        // Locks the row, as in `disableKey`.
        const locked = database
          .updateTable('channels')
          .set((row) => ({ other_info: row.ref('other_info') }));
        const found = await locked.where('id', '=', id).returningAll().executeTakeFirst();
        return found !== undefined && update(database, id, edit(rows.read(found)));
      }),
    setStatusByTag: (tag, to, note) =>
      atomically(async (database) => {
        let touched = 0;
        for (const id of await idsOfTag(database, tag))
          touched += (await setStatus(database, id, to, note)) ? 1 : 0;
        return touched;
      }),
    updateTestResult: (id, responseTime, testTime, error) =>
      atomically(async (database) => {
        const columns = { response_time: responseTime, test_time: testTime };
        await updateNoted(database, id, columns, (otherInfo) => noteTestError(otherInfo, error));
      }),
    updateBalance: (id, { amount, currency }, updatedTime) =>
      atomically(async (database) => {
        const columns = { balance: amount, balance_updated_time: updatedTime };
        await updateNoted(database, id, columns, (otherInfo) => noteCurrency(otherInfo, currency));
      }),
    delete: (ids) => atomically((database) => remove(database, ids)),
    deleteDisabled: () =>
      atomically(async (database) => {
        const disabled = [channelStatuses.disabled, channelStatuses.autoDisabled];
        const found = await database
          .selectFrom('channels')
          .select('id')
          .where('status', 'in', disabled)
          .execute();
        return remove(
          database,
          found.map(({ id }) => id),
        );
      }),
  };
}
