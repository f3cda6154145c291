import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { channelFilters } from '../../entities/channel-filters.ts';
import { channelStatuses } from '../../vocabulary/statuses.ts';
import type {
  Channel,
  ChannelFilter,
  ChannelOrder,
  ChannelRepository,
} from '../entities/channel.ts';
import { filterConditions } from '../filter-conditions.ts';
import { contains, idFromKeyword } from '../like.ts';
import type { Database } from '../schema.ts';
import type { Access } from './access.ts';
import { cappedSum } from './capped-sum.ts';
import { createChannelRows } from './channel-rows.ts';
import { createChannelWrites } from './channel-writes.ts';
import { tagSumsOf } from './tag-sums.ts';

type Query<Row> = SelectQueryBuilder<Database, 'channels', Row>;

function ordered<Row>(query: Query<Row>, order: ChannelOrder): Query<Row> {
  return order === 'priority'
    ? query.orderBy('priority', 'desc').orderBy('id', 'desc')
    : query.orderBy('id', 'desc');
}

// Other information names a test error only while the last test failed.
const testFailed = sql<boolean>`other_info like '%"test_error":%'`;
/** The filters that a tag's channels must pass too; the others find tags. */
const stateOf = ({ status, failed, ids }: ChannelFilter): ChannelFilter => ({
  status,
  failed,
  ...(ids && { ids }),
});
const countOf = (condition: RawBuilder<boolean>) =>
  sql<number>`count(case when ${condition} then 1 end)`;
const testedWell = sql<boolean>`response_time > 0 and not (${testFailed})`;

export function createChannelRepository(access: Access): ChannelRepository {
  const { read, abilities, vault } = access;
  const rows = createChannelRows(vault);
  const all = () => read.selectFrom('channels');

  const filtered = (filter: ChannelFilter) => {
    const { keyword = '', group = '', type, ids, failed = false } = filter;
    let query = all().where((where) =>
      where.and(filterConditions(channelFilters, filter, abilities)),
    );
    if (keyword !== '') {
      query = query.where((where) => {
        const id = idFromKeyword(keyword);
        return where.or([
          contains(abilities, where.ref('name'), keyword),
          where('key_hash', '=', vault.hash(keyword)),
          ...(id === undefined ? [] : [where('id', '=', id)]),
        ]);
      });
    }
    if (group !== '') {
      query = query.where((where) =>
        where.exists(
          where
            .selectFrom('abilities')
            .select('channel_id')
            .whereRef('abilities.channel_id', '=', 'channels.id')
            .where('abilities.group', '=', group),
        ),
      );
    }
    if (failed) query = query.where(testFailed);
    // As numbers: thousands are more than a statement takes as parameters.
    if (ids !== undefined)
      query = query.where('id', 'in', sql<number>`(${sql.raw(ids.join(',') || 'null')})`);
    return type === undefined ? query : query.where('type', '=', type);
  };

  const find = async (id: number): Promise<Channel | null> => {
    const row = await all().selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : rows.read(row);
  };
  const listByTags = async (
    tags: readonly string[],
    order: ChannelOrder,
    state: ChannelFilter = {},
  ): Promise<readonly Channel[]> =>
    tags.length === 0
      ? []
      : (
          await ordered(filtered(state).selectAll(), order)
            .where('tag', 'in', [...tags])
            .execute()
        ).map(rows.read);
  const count = async (filter: ChannelFilter = {}): Promise<number> =>
    (
      await filtered(filter)
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
    ).total;
  const pageOfUntagged = async (
    order: ChannelOrder,
    { offset, limit }: { readonly offset: number; readonly limit: number },
    filter: ChannelFilter,
  ) => {
    const matching = filtered(filter).where('tag', '=', '');
    const found =
      limit === 0
        ? []
        : await ordered(matching.selectAll(), order).limit(limit).offset(offset).execute();
    const { total } = await matching
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { items: found.map(rows.read), total };
  };
  const tagNames = (query = all()) =>
    query.select('tag').distinct().where('tag', '!=', '').orderBy('tag');

  /** The tags of a page, and the channels without a tag that fill it up. */
  const tagsOfPage = async (
    { offset, limit }: { readonly offset: number; readonly limit: number },
    filter: ChannelFilter,
  ) => {
    const names = (await tagNames(filtered(filter)).execute()).map(({ tag }) => tag);
    const shown = names.slice(offset, offset + limit);
    return {
      shown,
      count: names.length,
      rest: { offset: Math.max(0, offset - names.length), limit: limit - shown.length },
    };
  };
  const sumsOfTags = async (tags: readonly string[], state: ChannelFilter) => {
    if (tags.length === 0) return [];
    const withStatus = (status: number) => countOf(sql`status = ${sql.lit(status)}`);
    // By groups, too: both engines can, and put their texts together in ways of their own.
    const parts = await filtered(state)
      .where('tag', 'in', [...tags])
      .groupBy(['tag', 'group'])
      .select((select) => [
        'tag',
        'group',
        select.fn.countAll<number>().as('channels'),
        withStatus(channelStatuses.enabled).as('enabled'),
        withStatus(channelStatuses.disabled).as('disabled'),
        withStatus(channelStatuses.autoDisabled).as('autoDisabled'),
        countOf(testFailed).as('failed'),
        countOf(testedWell).as('tested'),
        cappedSum(
          sql`sum(cast(case when ${testedWell} then response_time else 0 end as double precision))`,
        ).as('time'),
        cappedSum(sql`sum(cast(used_quota as double precision))`).as('usedQuota'),
        select.fn.min<number>('priority').as('leastPriority'),
        select.fn.max<number>('priority').as('mostPriority'),
        select.fn.min<number>('weight').as('leastWeight'),
        select.fn.max<number>('weight').as('mostWeight'),
      ])
      .execute();
    return tagSumsOf(tags, parts);
  };

  return {
    find,
    async findMany(ids) {
      return ids.length === 0
        ? []
        : (
            await all()
              .selectAll()
              .where('id', 'in', [...ids])
              .execute()
          ).map(rows.read);
    },
    async names(ids) {
      if (ids.length === 0) return new Map();
      const found = await all()
        .select(['id', 'name'])
        .where('id', 'in', [...new Set(ids)])
        .execute();
      return new Map(found.map(({ id, name }) => [id, name]));
    },
    async page(order, { offset, limit }, filter = {}) {
      const found = await ordered(filtered(filter).selectAll(), order)
        .limit(limit)
        .offset(offset)
        .execute();
      return { items: found.map(rows.read), total: await count(filter) };
    },
    async pageByTag(order, page, filter = {}, untagged = false) {
      const { shown, count, rest } = await tagsOfPage(page, filter);
      const channels = await listByTags(shown, order, stateOf(filter));
      const byTag = Map.groupBy(channels, ({ tag }) => tag);
      const items = shown.flatMap((tag) => byTag.get(tag) ?? []);
      if (!untagged) return { items, total: count };
      const single = await pageOfUntagged(order, rest, filter);
      return { items: [...items, ...single.items], total: count + single.total };
    },
    async pageOfTags(order, page, filter = {}) {
      const { shown, count, rest } = await tagsOfPage(page, filter);
      const tags = await sumsOfTags(shown, stateOf(filter));
      const single = await pageOfUntagged(order, rest, filter);
      return { tags, channels: single.items, total: count + single.total };
    },
    async tagValues(tag) {
      const found = await all()
        .select(['models', 'group', 'model_mapping'])
        .distinct()
        .where('tag', '=', tag)
        .execute();
      return found.map(({ model_mapping: modelMapping, ...row }) => ({ ...row, modelMapping }));
    },
    async search(filter, order, limit) {
      return (await ordered(filtered(filter).selectAll(), order).limit(limit).execute()).map(
        rows.read,
      );
    },
    listByTags: (tags, order) => listByTags(tags, order),
    tags: async () => (await tagNames().execute()).map(({ tag }) => tag),
    ...createChannelWrites(access, find),
    count: () => count(),
    async listAllEnabled() {
      const found = await all()
        .selectAll()
        .where('status', '=', channelStatuses.enabled)
        .orderBy('id')
        .execute();
      return found.map(rows.read);
    },
    async listStates() {
      const found = await all()
        .select(['id', 'status', 'test_time'])
        .select(sql<number>`case when ${testFailed} then 1 else 0 end`.as('failed'))
        .orderBy('id')
        .execute();
      return found.map(({ id, status, test_time: testTime, failed }) => ({
        id,
        status,
        testTime,
        isTestFailed: failed === 1,
      }));
    },
    async listNames(ids) {
      if (ids?.length === 0) return [];
      const named = all().select(['id', 'name', 'type', 'other_info']).orderBy('id');
      const found = await (ids === undefined ? named : named.where('id', 'in', ids)).execute();
      return found.map(({ other_info: otherInfo, ...row }) => ({ ...row, otherInfo }));
    },
    async listAll() {
      return (await all().selectAll().orderBy('id').execute()).map(rows.read);
    },
  };
}
