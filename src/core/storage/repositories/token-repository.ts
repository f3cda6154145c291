import type { Kysely, Selectable } from 'kysely';
import { tokenFields } from '../../entities/token.ts';
import { tokenFilters } from '../../entities/token-filters.ts';
import { AppError } from '../../kernel/errors.ts';
import { Secret } from '../../kernel/secret.ts';
import { tokenStatuses } from '../../vocabulary/statuses.ts';
import type { Listing, PageRequest } from '../entities/listing.ts';
import type { NewToken, Token, TokenFilter, TokenRepository } from '../entities/token.ts';
import { filterConditions } from '../filter-conditions.ts';
import { defineEntityMapping } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { type Access, changed, changes, inPieces } from './access.ts';
import { appendAllowances } from './append-linked.ts';

const mapping = defineEntityMapping<'tokens', typeof tokenFields>(tokenFields);

/**
 * Encryption context of a key: its hash, which is unique, known before the insert and depends on
 * the key itself.
 */
export const tokenKeyContext = (keyHash: string): string => `tokens:${keyHash}`;

export function createTokenRepository({
  read,
  write,
  abilities,
  vault,
  atomically,
}: Access): TokenRepository {
  const toToken = (row: Selectable<Database['tokens']>): Token => ({
    ...mapping.read(row),
    key: new Secret(vault.read(row.key_enc, tokenKeyContext(row.key_hash))),
  });
  const living = () => read.selectFrom('tokens').where('deleted_at', 'is', null);
  const first = async (query: {
    executeTakeFirst(): Promise<Selectable<Database['tokens']> | undefined>;
  }) => {
    const row = await query.executeTakeFirst();
    return row === undefined ? null : toToken(row);
  };
  const filtered = ({ exceptUsers = [], ...filter }: TokenFilter) => {
    const query = living().where((where) =>
      where.and(filterConditions(tokenFilters, filter, abilities)),
    );
    return exceptUsers.length > 0 ? query.where('user_id', 'not in', exceptUsers) : query;
  };
  const count = async (filter: TokenFilter): Promise<number> =>
    (
      await filtered(filter)
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
    ).total;

  /**
   * Keys are encrypted in the database, so a part of a key is searched after decrypting one user's
   * tokens.
   */
  const pageByKeyPart = async (
    filter: TokenFilter,
    part: string,
    page: PageRequest,
  ): Promise<Listing<Token>> => {
    const rows = await filtered(filter).selectAll().orderBy('id', 'desc').execute();
    const matches = rows
      .map(toToken)
      .filter(({ key }) => !key.isUnreadable && key.reveal().includes(part));
    return { items: matches.slice(page.offset, page.offset + page.limit), total: matches.length };
  };
  const page = async (filter: TokenFilter, request: PageRequest): Promise<Listing<Token>> => {
    const part = (filter.key ?? '').replace(/^sk-/, '');
    if (part !== '' && filter.userId === undefined)
      throw new Error('a part of a key is searched for within one user only');
    if (part !== '') return pageByKeyPart(filter, part, request);
    const rows = await filtered(filter)
      .selectAll()
      .orderBy('id', 'desc')
      .limit(request.limit)
      .offset(request.offset)
      .execute();
    return { items: rows.map(toToken), total: await count(filter) };
  };

  /** The rows, and the first of their allowances (docs/rules/ledger.md#token-allowance). */
  const insertAll = async (
    database: Kysely<Database>,
    tokens: readonly NewToken[],
  ): Promise<number[]> => {
    const ids: number[] = [];
    for (const token of tokens) ids.push(await insert(database, token));
    const allowances = tokens.map(({ remainQuota: amount = 0, createdTime: at }, index) => {
      return { tokenId: ids[index] ?? 0, amount, used: 0, remainAfter: amount, at };
    });
    await appendAllowances(
      database,
      abilities,
      allowances.filter(({ amount }) => amount !== 0),
    );
    return ids;
  };
  const insert = async (database: Kysely<Database>, token: NewToken): Promise<number> => {
    const keyHash = vault.hash(token.key.reveal());
    const { id } = await database
      .insertInto('tokens')
      .values({
        ...mapping.write(token),
        key_hash: keyHash,
        key_enc: vault.seal(token.key.reveal(), tokenKeyContext(keyHash)),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const setStatus = async (
    database: Kysely<Database>,
    id: number,
    from: number,
    to: number,
  ): Promise<boolean> =>
    changed(
      await database
        .updateTable('tokens')
        .set({ status: to })
        .where('id', '=', id)
        .where('status', '=', from)
        .where('deleted_at', 'is', null)
        .executeTakeFirst(),
    );

  return {
    hashKey: (key) => vault.hash(key),
    find: (id) => first(living().selectAll().where('id', '=', id)),
    findOfUser: (id, userId) =>
      first(living().selectAll().where('id', '=', id).where('user_id', '=', userId)),
    findByKeyHash: (...keyHashes) =>
      first(
        living()
          .selectAll()
          .where('key_hash', 'in', [...keyHashes]),
      ),
    async namesOf(ids) {
      const names = new Map<number, string>();
      for (const some of inPieces(ids)) {
        const rows = await living()
          .select(['id', 'name'])
          .where('id', 'in', [...some])
          .execute();
        for (const { id, name } of rows) names.set(id, name);
      }
      return names;
    },
    async findManyOfUser(ids, userId) {
      const rows = await living()
        .selectAll()
        .where('id', 'in', [...ids])
        .where('user_id', '=', userId)
        .execute();
      return rows.map(toToken);
    },
    page,
    pageByUser: (userId, request, search = {}) => page({ ...search, userId }, request),
    countByUser: (userId) => count({ userId }),
    insert: (token) => atomically(async (database) => (await insertAll(database, [token]))[0] ?? 0),
    insertMany: (tokens) => atomically((database) => insertAll(database, tokens)),
    async update(id, change) {
      const columns = mapping.write(change);
      if (Object.keys(columns).length === 0) return (await this.find(id)) !== null;
      return changed(
        await write
          .updateTable('tokens')
          .set(columns)
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst(),
      );
    },
    setStatus: (id, from, to) => setStatus(write, id, from, to),
    setStatusMany: (tokens, to) =>
      atomically(async (database) => {
        for (const { id, status } of tokens) {
          if (status !== to && !(await setStatus(database, id, status, to)))
            throw new AppError('conflict');
        }
      }),
    async touch(ids, accessedTime) {
      for (const piece of inPieces(ids)) {
        await write
          .updateTable('tokens')
          .set({ accessed_time: accessedTime })
          .where('id', 'in', [...piece])
          .execute();
      }
    },
    softDeleteMany: (ids, userId, at) =>
      atomically(async (database) => {
        let removed = 0;
        for (const piece of inPieces(ids)) {
          removed += changes(
            await database
              .updateTable('tokens')
              .set({ deleted_at: at })
              .where('id', 'in', [...piece])
              .where('user_id', '=', userId)
              .where('deleted_at', 'is', null)
              .executeTakeFirst(),
          );
        }
        return removed;
      }),
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
    deleteByUser: async (userId) =>
      changes(await write.deleteFrom('tokens').where('user_id', '=', userId).executeTakeFirst()),
    async listAfter(afterId, limit) {
      return (
        await living().selectAll().where('id', '>', afterId).orderBy('id').limit(limit).execute()
      ).map(toToken);
    },
  };
}
