import {
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely';
import { userFields } from '../../entities/user.ts';
import { userFilters } from '../../entities/user-filters.ts';
import { Secret } from '../../kernel/secret.ts';
import { roles } from '../../vocabulary/roles.ts';
import { userStatuses } from '../../vocabulary/statuses.ts';
import type {
  NewUser,
  User,
  UserChange,
  UserFilter,
  UserOrder,
  UserRepository,
} from '../entities/user.ts';
import { filterConditions } from '../filter-conditions.ts';
import { contains, escapeLike, idFromKeyword, likeIgnoringCase } from '../like.ts';
import { defineEntityMapping } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { type Access, changed } from './access.ts';
import { cappedSum } from './capped-sum.ts';

type Users = Database['users'];

const mapping = defineEntityMapping<'users', typeof userFields>(userFields);

/** Exactly the condition of the partial indexes; otherwise the planners do not use them. */
const verifiedAddress = sql<SqlBool>`email != '' and email_verified = 1`;

/** The last use of a session or of a token, whichever is later. */
const usedToken = sql<number>`coalesce((select max(tokens.accessed_time) from tokens where tokens.user_id = users.id), 0)`;
const seenAt = sql<number>`case when ${usedToken} > users.seen_at then ${usedToken} else users.seen_at end`;

const orderColumns: Readonly<Record<UserOrder['by'], RawBuilder<unknown>>> = {
  id: sql`users.id`,
  name: sql`users.username_normalized`,
  role: sql`users.role`,
  quota: sql`users.quota`,
  used: sql`users.used_quota`,
  requests: sql`users.request_count`,
  seen: seenAt,
};

/** The same rule on every engine, unlike the engines' own lower(). */
const normalizeUsername = (username: string): string => username.toLowerCase();

/** Encryption context of the settings, which may contain a webhook secret. */
export const settingContext = (id: number): string => `users:${id}`;

/**
 * Stored responses and conversations have expired: the next purge deletes them. What the playground
 * keeps is deleted.
 */
async function endContents(database: Kysely<Database>, userId: number): Promise<void> {
  for (const table of ['stored_responses', 'conversations'] as const)
    await database
      .updateTable(table)
      .set({ expires_at: 0 })
      .where('user_id', '=', userId)
      .execute();
  await database.deleteFrom('playground_items').where('user_id', '=', userId).execute();
}

export function createUserRepository({
  read,
  write,
  abilities,
  vault,
  atomically,
}: Access): UserRepository {
  const toUser = (row: Selectable<Users>): User => ({
    ...mapping.read(row),
    passwordHash: new Secret(row.password),
    setting: row.setting === '' ? '' : (vault.read(row.setting, settingContext(row.id)) ?? ''),
  });
  const sealSetting = (id: number, setting: string): string =>
    setting === '' ? '' : vault.seal(setting, settingContext(id));
  const first = async (
    query: SelectQueryBuilder<Database, 'users', Selectable<Users>>,
  ): Promise<User | null> => {
    const row = await query.executeTakeFirst();
    return row === undefined ? null : toUser(row);
  };
  const all = () => read.selectFrom('users').selectAll();

  const requiredColumns = (user: NewUser) => ({
    username: user.username,
    username_normalized: normalizeUsername(user.username),
    password: user.passwordHash.reveal(),
    email: user.email?.toLowerCase() ?? '',
  });
  const toColumns = (change: UserChange): Updateable<Users> => ({
    ...mapping.write(change),
    ...(change.username === undefined
      ? {}
      : { username_normalized: normalizeUsername(change.username) }),
    ...(change.email === undefined ? {} : { email: change.email.toLowerCase() }),
    ...(change.passwordHash === undefined ? {} : { password: change.passwordHash.reveal() }),
  });

  const filtered = (filter: UserFilter) => {
    let query = read
      .selectFrom('users')
      .where((where) => where.and(filterConditions(userFilters, filter)));
    const { keyword = '', unseen } = filter;
    if (keyword !== '') {
      query = query.where((where) => {
        const id = idFromKeyword(keyword);
        return where.or([
          ...(['username', 'email', 'display_name', 'nickname'] as const).map((column) =>
            contains(abilities, where.ref(column), keyword),
          ),
          likeIgnoringCase(
            abilities,
            where.ref('phone').$castTo<string>(),
            `%${escapeLike(keyword)}`,
          ),
          ...(id === undefined ? [] : [where('id', '=', id)]),
        ]);
      });
    }
    if (unseen !== undefined) query = query.where(seenAt, '<', unseen);
    return query;
  };

  const insertInto = async (database: Kysely<Database>, user: NewUser): Promise<number> => {
    const { id } = await database
      .insertInto('users')
      .values({ ...mapping.write(user), ...requiredColumns(user) })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (user.setting !== undefined && user.setting !== '') {
      await database
        .updateTable('users')
        .set({ setting: sealSetting(id, user.setting) })
        .where('id', '=', id)
        .execute();
    }
    return id;
  };

  const compareAndSet = async (
    column: 'role' | 'status' | 'password',
    id: number,
    from: number | string,
    to: number | string,
  ): Promise<boolean> =>
    changed(
      await write
        .updateTable('users')
        .set({ [column]: to })
        .where('id', '=', id)
        .where(column, '=', from)
        .executeTakeFirst(),
    );

  return {
    find: (id) => first(all().where('id', '=', id)),
    findOldest: (role) => first(all().where('role', '=', role).orderBy('id').limit(1)),
    async findMany(ids) {
      return ids.length === 0
        ? []
        : (
            await all()
              .where('id', 'in', [...ids])
              .execute()
          ).map(toUser);
    },
    findByUsername: (username) =>
      first(all().where('username_normalized', '=', normalizeUsername(username))),
    findByVerifiedEmail: async (email) =>
      email === ''
        ? null
        : first(all().where('email', '=', email.toLowerCase()).where(verifiedAddress)),
    findByPhone: (phone) => first(all().where('phone', '=', phone)),
    findByAccessTokenHash: (hash) => first(all().where('access_token_hash', '=', hash)),
    findByAffCode: (code) => first(all().where('aff_code', '=', code)),
    // The encryption context of the settings contains the id, which is only known after the insert.
    insert: (user) => atomically((database) => insertInto(database, user)),
    async update(id, change) {
      const columns = toColumns(change);
      if (change.setting !== undefined) columns.setting = sealSetting(id, change.setting);
      if (Object.keys(columns).length === 0) return (await this.find(id)) !== null;
      return changed(
        await write.updateTable('users').set(columns).where('id', '=', id).executeTakeFirst(),
      );
    },
    setStatus: (id, from, to) => compareAndSet('status', id, from, to),
    setRole: (id, from, to) => compareAndSet('role', id, from, to),
    replacePassword: (id, from, to) => compareAndSet('password', id, from.reveal(), to.reveal()),
    softDelete: (id, at) =>
      atomically(async (database) => {
        await endContents(database, id);
        return changed(
          await database
            .updateTable('users')
            .set({ deleted_at: at, access_token_hash: null })
            .where('id', '=', id)
            .where('deleted_at', 'is', null)
            .executeTakeFirst(),
        );
      }),
    delete: (id) =>
      atomically(async (database) => {
        await endContents(database, id);
        return changed(await database.deleteFrom('users').where('id', '=', id).executeTakeFirst());
      }),
    async page(filter, { offset, limit }, { by, ascending } = { by: 'id', ascending: false }) {
      const rows = await filtered(filter)
        .selectAll()
        .select(seenAt.as('seen'))
        .orderBy(orderColumns[by], ascending ? 'asc' : 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await filtered(filter)
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map((row) => ({ ...toUser(row), seenAt: row.seen })), total };
    },
    async countActiveRoots() {
      const { total } = await read
        .selectFrom('users')
        .select((select) => select.fn.countAll<number>().as('total'))
        .where('role', '=', roles.root)
        .where('status', '=', userStatuses.active)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      return total;
    },
    async count() {
      return (
        await read
          .selectFrom('users')
          .select((select) => select.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
      ).total;
    },
    async highestId() {
      const { highest } = await read
        .selectFrom('users')
        .select((select) => select.fn.max<number | null>('id').as('highest'))
        .executeTakeFirstOrThrow();
      return highest ?? 0;
    },
    setMissingAffCode: async (id, code) =>
      changed(
        await write
          .updateTable('users')
          .set({ aff_code: code })
          .where('id', '=', id)
          .where((where) => where.or([where('aff_code', 'is', null), where('aff_code', '=', '')]))
          .executeTakeFirst(),
      ),
    async adjustInvite(id, { affCount = 0, affQuota = 0, affHistoryQuota = 0 }) {
      return changed(
        await write
          .updateTable('users')
          .set((set) => ({
            aff_count: set('aff_count', '+', affCount),
            aff_quota: cappedSum(set('aff_quota', '+', affQuota)),
            aff_history: cappedSum(set('aff_history', '+', affHistoryQuota)),
          }))
          .where('id', '=', id)
          .where((where) => where(where('aff_quota', '+', affQuota), '>=', 0))
          .executeTakeFirst(),
      );
    },
    async listAfter(afterId, limit) {
      return (await all().where('id', '>', afterId).orderBy('id').limit(limit).execute()).map(
        toUser,
      );
    },
  };
}
