import type { Selectable } from 'kysely';
import { Secret } from '../../kernel/secret.ts';
import { tokenStatuses } from '../../vocabulary/statuses.ts';
import type { Listing, PageRequest } from '../entities/listing.ts';
import type { Token, TokenFilter, TokenRepository } from '../entities/token.ts';
import { contains } from '../like.ts';
import { defineMapping, flag, integer, nullableInteger, quota, text } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { type Access, changed, changes, inPieces } from './access.ts';

const mapping = defineMapping<'tokens', Omit<Token, 'key'>>({
  id: integer('id'),
  userId: integer('user_id'),
  keyHash: text('key_hash'),
  status: integer('status'),
  name: text('name'),
  createdTime: integer('created_time'),
  accessedTime: integer('accessed_time'),
  expiredTime: integer('expired_time'),
  remainQuota: quota('remain_quota'),
  unlimitedQuota: flag('unlimited_quota'),
  modelLimitsEnabled: flag('model_limits_enabled'),
  modelLimits: text('model_limits'),
  allowIps: text('allow_ips'),
  usedQuota: quota('used_quota'),
  held: quota('held'),
  group: text('group'),
  deletedAt: nullableInteger('deleted_at'),
});

/** The row is named by its hash: it is known before the insert, unique, and bound to the key itself. */
export const tokenKeyContext = (keyHash: string): string => `tokens:${keyHash}`;

export function createTokenRepository({ read, write, abilities, vault }: Access): TokenRepository {
  const toToken = (row: Selectable<Database['tokens']>): Token => ({
    ...mapping.read(row),
    key: new Secret(vault.open(row.key_enc, tokenKeyContext(row.key_hash))),
  });
  const living = () => read.selectFrom('tokens').where('deleted_at', 'is', null);
  const first = async (query: { executeTakeFirst(): Promise<Selectable<Database['tokens']> | undefined> }) => {
    const row = await query.executeTakeFirst();
    return row === undefined ? null : toToken(row);
  };
  const filtered = ({ userId, keyword = '', group = '', status }: TokenFilter) => {
    let query = living();
    if (userId !== undefined) query = query.where('user_id', '=', userId);
    if (keyword !== '') query = query.where((where) => contains(abilities, where.ref('name'), keyword));
    if (group !== '') query = query.where('group', '=', group);
    if (status !== undefined) query = query.where('status', '=', status);
    return query;
  };
  const count = async (filter: TokenFilter): Promise<number> =>
    (
      await filtered(filter)
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
    ).total;

  /** Keys are only readable here, so a part of a key is looked for after decryption, in one user's tokens. */
  const pageByKeyPart = async (filter: TokenFilter, part: string, page: PageRequest): Promise<Listing<Token>> => {
    const rows = await filtered(filter).selectAll().orderBy('id', 'desc').execute();
    const matches = rows.map(toToken).filter((token) => token.key.reveal().includes(part));
    return { items: matches.slice(page.offset, page.offset + page.limit), total: matches.length };
  };
  const page = async (filter: TokenFilter, request: PageRequest): Promise<Listing<Token>> => {
    const part = (filter.key ?? '').replace(/^sk-/, '');
    if (part !== '' && filter.userId === undefined) throw new Error('a part of a key is searched for within one user only');
    if (part !== '') return pageByKeyPart(filter, part, request);
    const rows = await filtered(filter).selectAll().orderBy('id', 'desc').limit(request.limit).offset(request.offset).execute();
    return { items: rows.map(toToken), total: await count(filter) };
  };

  return {
    hashKey: (key) => vault.hash(key),
    find: (id) => first(living().selectAll().where('id', '=', id)),
    findOfUser: (id, userId) => first(living().selectAll().where('id', '=', id).where('user_id', '=', userId)),
    findByKeyHash: (keyHash) => first(living().selectAll().where('key_hash', '=', keyHash)),
    page,
    pageByUser: (userId, request, search = {}) => page({ ...search, userId }, request),
    countByUser: (userId) => count({ userId }),
    async insert(token) {
      const keyHash = vault.hash(token.key.reveal());
      const { id } = await write
        .insertInto('tokens')
        .values({ ...mapping.write(token), key_hash: keyHash, key_enc: vault.seal(token.key.reveal(), tokenKeyContext(keyHash)) })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
    async update(id, change) {
      const columns = mapping.write(change);
      if (Object.keys(columns).length === 0) return (await this.find(id)) !== null;
      return changed(
        await write.updateTable('tokens').set(columns).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst(),
      );
    },
    async setStatus(id, from, to) {
      return changed(
        await write
          .updateTable('tokens')
          .set({ status: to })
          .where('id', '=', id)
          .where('status', '=', from)
          .where('deleted_at', 'is', null)
          .executeTakeFirst(),
      );
    },
    async touch(ids, accessedTime) {
      for (const piece of inPieces(ids)) {
        await write
          .updateTable('tokens')
          .set({ accessed_time: accessedTime })
          .where('id', 'in', [...piece])
          .execute();
      }
    },
    async softDelete(id, at) {
      return changed(
        await write
          .updateTable('tokens')
          .set({ deleted_at: at })
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst(),
      );
    },
    async disableByUser(userId) {
      return changes(
        await write
          .updateTable('tokens')
          .set({ status: tokenStatuses.disabled })
          .where('user_id', '=', userId)
          .where('status', '=', tokenStatuses.enabled)
          .where('deleted_at', 'is', null)
          .executeTakeFirst(),
      );
    },
    deleteByUser: async (userId) => changes(await write.deleteFrom('tokens').where('user_id', '=', userId).executeTakeFirst()),
    async listAfter(afterId, limit) {
      return (await living().selectAll().where('id', '>', afterId).orderBy('id').limit(limit).execute()).map(toToken);
    },
  };
}
