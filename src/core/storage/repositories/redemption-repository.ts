import type { Selectable } from 'kysely';
import { redemptionFields } from '../../entities/redemption.ts';
import { redemptionStatuses } from '../../vocabulary/statuses.ts';
import type { RedemptionRepository } from '../entities/redemption.ts';
import { idFromKeyword, startsWith } from '../like.ts';
import { defineEntityMapping } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { type Access, changed } from './access.ts';

const mapping = defineEntityMapping<'redemptions', typeof redemptionFields>(redemptionFields);

export function createRedemptionRepository({ read, write, abilities, atomically }: Access): RedemptionRepository {
  const living = () => read.selectFrom('redemptions').where('deleted_at', 'is', null);
  const change = (id: number) => write.updateTable('redemptions').where('id', '=', id).where('deleted_at', 'is', null);
  const first = async (query: { executeTakeFirst(): Promise<Selectable<Database['redemptions']> | undefined> }) => {
    const row = await query.executeTakeFirst();
    return row === undefined ? null : mapping.read(row);
  };
  return {
    find: (id) => first(living().selectAll().where('id', '=', id)),
    findByKey: (key) => first(living().selectAll().where('key', '=', key)),
    async page({ keyword = '', status }, { offset, limit }) {
      let query = living();
      if (keyword !== '') {
        query = query.where((where) => {
          const id = idFromKeyword(keyword);
          return where.or([
            startsWith(abilities, where.ref('name'), keyword),
            ...(id === undefined ? [] : [where('id', '=', id)]),
          ]);
        });
      }
      if (status !== undefined) query = query.where('status', '=', status);
      const rows = await query.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
      const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      return { items: rows.map(mapping.read), total };
    },
    insertMany: (redemptions) =>
      atomically(async (database) => {
        const ids: number[] = [];
        for (const redemption of redemptions) {
          const columns = { ...mapping.write(redemption), key: redemption.key };
          ids.push((await database.insertInto('redemptions').values(columns).returning('id').executeTakeFirstOrThrow()).id);
        }
        return ids;
      }),
    async update(id, fields) {
      const columns = mapping.write(fields);
      if (Object.keys(columns).length === 0) return (await this.find(id))?.status === redemptionStatuses.unused;
      return changed(await change(id).set(columns).where('status', '=', redemptionStatuses.unused).executeTakeFirst());
    },
    setStatus: async (id, from, to) =>
      changed(await change(id).set({ status: to }).where('status', '=', from).executeTakeFirst()),
    async markUsed(id, userId, at) {
      return changed(
        await change(id)
          .set({ status: redemptionStatuses.used, used_user_id: userId, redeemed_time: at })
          .where('status', '=', redemptionStatuses.unused)
          .executeTakeFirst(),
      );
    },
    softDelete: async (id, at) => changed(await change(id).set({ deleted_at: at }).executeTakeFirst()),
  };
}
