import type { ExpressionBuilder, Selectable } from 'kysely';
import { redemptionFields } from '../../entities/redemption.ts';
import { Secret } from '../../kernel/secret.ts';
import { redemptionStates } from '../../vocabulary/redemption-state.ts';
import { redemptionStatuses } from '../../vocabulary/statuses.ts';
import type { Redemption, RedemptionRepository } from '../entities/redemption.ts';
import { idFromKeyword, startsWith } from '../like.ts';
import { defineEntityMapping } from '../mapping.ts';
import type { Database } from '../schema.ts';
import type { Vault } from '../vault.ts';
import { type Access, changed, inPieces } from './access.ts';

const mapping = defineEntityMapping<'redemptions', typeof redemptionFields>(redemptionFields);

/** Encryption context of a key, as for tokens. */
export const redemptionKeyContext = (keyHash: string): string => `redemptions:${keyHash}`;

/** The columns that hold a key: a keyed hash to find it by, and the encrypted key to show it. */
function redemptionKeyColumns(
  key: string,
  vault: Vault,
): { readonly key_hash: string; readonly key_enc: string } {
  const keyHash = vault.hash(key);
  return { key_hash: keyHash, key_enc: vault.seal(key, redemptionKeyContext(keyHash)) };
}

/** The condition in SQL for `redemptionStateOf`. */
function isInState(where: ExpressionBuilder<Database, 'redemptions'>, state: number, now: number) {
  if (state !== redemptionStates.unused && state !== redemptionStates.expired)
    return where('status', '=', state);
  const isUnused = where('status', '=', redemptionStatuses.unused);
  return state === redemptionStates.unused
    ? where.and([
        isUnused,
        where.or([where('expired_time', '=', 0), where('expired_time', '>', now)]),
      ])
    : where.and([isUnused, where('expired_time', '!=', 0), where('expired_time', '<=', now)]);
}

export function createRedemptionRepository({
  read,
  write,
  abilities,
  vault,
  atomically,
}: Access): RedemptionRepository {
  const toRedemption = (row: Selectable<Database['redemptions']>): Redemption => ({
    ...mapping.read(row),
    key: new Secret(vault.read(row.key_enc, redemptionKeyContext(row.key_hash))),
  });
  const living = () => read.selectFrom('redemptions').where('deleted_at', 'is', null);
  const change = (id: number) =>
    write.updateTable('redemptions').where('id', '=', id).where('deleted_at', 'is', null);
  const first = async (query: {
    executeTakeFirst(): Promise<Selectable<Database['redemptions']> | undefined>;
  }) => {
    const row = await query.executeTakeFirst();
    return row === undefined ? null : toRedemption(row);
  };
  return {
    find: (id) => first(living().selectAll().where('id', '=', id)),
    findByKey: (key) => first(living().selectAll().where('key_hash', '=', vault.hash(key))),
    async names(ids) {
      const names = new Map<number, string>();
      for (const piece of inPieces(ids)) {
        const rows = await read
          .selectFrom('redemptions')
          .select(['id', 'name'])
          .where('id', 'in', piece)
          .execute();
        for (const { id, name } of rows) names.set(id, name);
      }
      return names;
    },
    async page({ keyword = '', status }, { offset, limit }, now) {
      let query = living();
      if (keyword !== '') {
        query = query.where((where) => {
          const id = idFromKeyword(keyword);
          return where.or([
            startsWith(abilities, where.ref('name'), keyword),
            ...(id === undefined ? [] : [where('id', '=', id)]),
            where('key_hash', '=', vault.hash(keyword)),
          ]);
        });
      }
      if (status !== undefined) query = query.where((where) => isInState(where, status, now));
      const rows = await query
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await query
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(toRedemption), total };
    },
    insertMany: (redemptions) =>
      atomically(async (database) => {
        const ids: number[] = [];
        for (const redemption of redemptions) {
          const columns = {
            ...mapping.write(redemption),
            ...redemptionKeyColumns(redemption.key.reveal(), vault),
          };
          ids.push(
            (
              await database
                .insertInto('redemptions')
                .values(columns)
                .returning('id')
                .executeTakeFirstOrThrow()
            ).id,
          );
        }
        return ids;
      }),
    async update(id, fields) {
      const columns = mapping.write(fields);
      if (Object.keys(columns).length === 0)
        return (await this.find(id))?.status === redemptionStatuses.unused;
      return changed(
        await change(id)
          .set(columns)
          .where('status', '=', redemptionStatuses.unused)
          .executeTakeFirst(),
      );
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
    softDelete: async (id, at) =>
      changed(await change(id).set({ deleted_at: at }).executeTakeFirst()),
    async softDeleteInvalid(at) {
      const { numUpdatedRows } = await write
        .updateTable('redemptions')
        .set({ deleted_at: at })
        .where('deleted_at', 'is', null)
        .where((where) => where.not(isInState(where, redemptionStates.unused, at)))
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    },
  };
}
