import { describeChanges } from '../audit/changes.ts';
import type { Commit } from '../audit/commit.ts';
import type { ProviderRegistry } from '../canonical/registry.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { Secret } from '../kernel/secret.ts';
import type {
  Channel,
  ChannelFilter,
  ChannelOrder,
  Listing,
  PageRequest,
  Storage,
} from '../storage/storage.ts';
import { type ChannelState, channelStates } from '../vocabulary/channel-states.ts';
import { readDisabledKeys } from '../vocabulary/disabled-keys.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import { createChannelDrafts, requireStatus } from './channel-drafts.ts';
import type { ChannelFields } from './channel-fields.ts';
import { keyDestination } from './key-destination.ts';

export interface ChannelDeps {
  readonly storage: Pick<Storage, 'channels' | 'quotaData'>;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly providers: ProviderRegistry;
  /** Of the channels that are in a state now. */
  readonly idsInState: (state: ChannelState) => Promise<readonly number[]>;
}

export interface ChannelListQuery {
  readonly order: ChannelOrder;
  /** Pages of tags instead of channels; a page holds all channels of its tags. */
  readonly byTag: boolean;
  /** With `byTag`: channels without a tag follow the tags, each as an entry of its own. */
  readonly untagged?: boolean;
}

/** Connections to upstreams. Every write is announced, so that the routing index is rebuilt. */
export interface ChannelService {
  /** `filter.group` may be 'null': no group. */
  page(
    query: ChannelListQuery,
    page: PageRequest,
    filter?: ChannelFilter,
  ): Promise<Listing<Channel>>;
  /** Tags with their sums, and the channels without one after them. `total` counts both. */
  tagPage: Storage['channels']['pageOfTags'];
  search(query: ChannelListQuery, filter: ChannelFilter): Promise<Listing<Channel>>;
  /** Throws AppError not_found. */
  get(id: number): Promise<Channel>;
  /**
   * Creates one channel per key, or one with all keys if `setting` says so. Returns the new ids.
   * Throws AppError channel_key_required_again if the key of `copyFrom` would be sent elsewhere and
   * the actor is not root.
   */
  create(
    actor: Actor,
    fields: Partial<ChannelFields> & { readonly type: number },
    copyFrom?: number,
  ): Promise<readonly number[]>;
  copy(
    actor: Actor,
    id: number,
    options: { suffix?: string; resetBalance?: boolean },
  ): Promise<number>;
  /**
   * Changes only present fields. An empty key means unchanged; `status` is 1 or 2. Throws AppError
   * channel_key_required_again if an unchanged key would be sent elsewhere and the actor is not
   * root (docs/rules/channels.md#key-destination).
   */
  update(
    actor: Actor,
    id: number,
    fields: Partial<ChannelFields>,
    status?: number,
  ): Promise<Channel>;
  /**
   * Every reason why `create` (without an id) or `update` would refuse the fields. Writes nothing.
   */
  refusals(
    actor: Actor,
    fields: Partial<ChannelFields>,
    id?: number,
    status?: number,
  ): Promise<readonly AppError[]>;
  /**
   * Sets status 1 or 2 of several channels in one transaction. Enabling also enables their keys.
   * Returns how many changed.
   */
  setStatusMany(actor: Actor, ids: readonly number[], status: number): Promise<number>;
  /** Of all channels, ascending. */
  names(): Promise<{ id: number; name: string }[]>;
  remove(actor: Actor, ids: readonly number[]): Promise<number>;
  removeDisabled(actor: Actor): Promise<number>;
  /** Rebuilds the routing table. Returns the number of channels. */
  fix(actor: Actor): Promise<number>;
}

/** Fields whose values may hold credentials: the audit log names them only. */
const unreadable = ['key', 'baseUrl', 'other', 'setting', 'paramOverride'] as const;

const searchLimit = 1000;
const copySuffix = '_copy';

export function createChannelService({
  storage,
  commit,
  clock,
  providers,
  idsInState,
}: ChannelDeps): ChannelService {
  const { channels } = storage;

  const find = async (
    { channels: stored }: Pick<Storage, 'channels'>,
    id: number,
  ): Promise<Channel> => {
    const channel = await stored.find(id);
    if (channel === null) throw new AppError('not_found');
    return channel;
  };
  const get = (id: number): Promise<Channel> => find(storage, id);

  const { readNew, readChange, refusals } = createChannelDrafts({ get, clock, providers });

  return {
    get,
    refusals,
    names: async () => (await channels.listNames()).map(({ id, name }) => ({ id, name })),
    page: async ({ order, byTag, untagged = false }, page, filter = {}) => {
      const read = await storedFilter(filter, idsInState);
      return byTag
        ? channels.pageByTag(order, page, read, untagged)
        : channels.page(order, page, read);
    },
    tagPage: async (order, page, filter = {}) =>
      channels.pageOfTags(order, page, await storedFilter(filter, idsInState)),
    search: async ({ order, byTag }, filter) => {
      const read = await storedFilter(filter, idsInState);
      const matches = await channels.search(read, order, searchLimit);
      if (!byTag) return { items: matches, total: matches.length };
      const tags = [
        ...new Set(matches.map((channel) => channel.tag).filter((tag) => tag !== '')),
      ].sort();
      const items = await channels.listByTags(tags, order);
      return { items, total: tags.length };
    },
    create: async (actor, fields, copyFrom) => {
      const { row, keys, made, moved } = await readNew(actor, fields, copyFrom);
      return commit(async (inside, notes) => {
        const ids = await inside.channels.insertMany(
          keys.map((key) => ({ ...row, key: new Secret(key) })),
        );
        notes.record(actor, 'channel.create', ids.join(','), {
          name: row.name,
          type: row.type,
          address: keyDestination(made, providers).shown,
          ...(copyFrom !== undefined && { copy_from: copyFrom }),
          ...moved,
        });
        notes.changed('channels', ids);
        return ids;
      });
    },
    copy: async (actor, id, { suffix = copySuffix, resetBalance = true }) => {
      const { id: _, usedQuota: __, testTime: ___, responseTime: ____, ...rest } = await get(id);
      const copied = {
        ...rest,
        name: `${rest.name}${suffix}`,
        createdTime: nowSeconds(clock),
        otherInfo: '',
        ...(resetBalance && { balance: 0, balanceUpdatedTime: 0 }),
      };
      return commit(async (inside, notes) => {
        const [copyId] = await inside.channels.insertMany([copied]);
        if (copyId === undefined) throw new AppError('internal_error');
        notes.record(actor, 'channel.copy', copyId, { name: copied.name, from: id });
        notes.changed('channels', copyId);
        return copyId;
      });
    },
    update: async (actor, id, fields, status) => {
      const before = await get(id);
      const { change, moved } = readChange(actor, before, fields, status);
      const patch = { ...change, ...(status !== undefined && { status }) };
      const detail = {
        name: before.name,
        ...describeChanges<Channel>(before, patch, unreadable),
        ...moved,
      };
      return commit(async (inside, notes) => {
        if (Object.keys(change).length > 0 && !(await inside.channels.update(id, change)))
          throw new AppError('not_found');
        if (status !== undefined && changesStatus(before, status)) {
          await inside.channels.setStatus(id, before.status, status, {
            reason: '',
            time: nowSeconds(clock),
          });
        }
        notes.record(actor, 'channel.update', id, detail);
        notes.changed('channels', id);
        return find(inside, id);
      });
    },
    setStatusMany: (actor, ids, status) =>
      commit(async (inside, notes) => {
        requireStatus(status);
        const changed = (await inside.channels.findMany(ids)).filter((channel) =>
          changesStatus(channel, status),
        );
        if (changed.length === 0) return 0;
        await inside.channels.setStatusMany(changed, status, {
          reason: '',
          time: nowSeconds(clock),
        });
        const from = [...new Set(changed.map((channel) => channel.status))].join(',');
        const changedIds = changed.map((channel) => channel.id);
        notes.record(actor, 'channel.update', changedIds.join(','), {
          ...nameOfOne(changed),
          changes: { status: { from, to: status } },
        });
        notes.changed('channels', changedIds);
        return changed.length;
      }),
    remove: (actor, ids) =>
      commit(async (inside, notes) => {
        if (ids.length === 0) throw new AppError('invalid_parameter', { field: 'ids' });
        const named = nameOfOne(await inside.channels.findMany(ids));
        const count = await inside.channels.delete(ids);
        if (count === 0) return count;
        notes.record(actor, 'channel.remove', ids.join(','), named);
        notes.changed('channels', ids);
        return count;
      }),
    removeDisabled: (actor) =>
      commit(async (inside, notes) => {
        const count = await inside.channels.deleteDisabled();
        if (count === 0) return count;
        notes.record(actor, 'channel.remove_disabled', count);
        notes.changed('channels');
        return count;
      }),
    fix: (actor) =>
      commit(async (inside, notes) => {
        const count = await inside.abilities.rebuildAll();
        notes.record(actor, 'channel.fix', count);
        notes.changed('channels');
        return count;
      }),
  };
}

/** Enabling an enabled channel enables the keys that the gateway disabled. */
function changesStatus({ status: before, otherInfo }: Channel, status: number): boolean {
  return (
    status !== before ||
    (status === channelStatuses.enabled && readDisabledKeys(otherInfo).size > 0)
  );
}

/** What storage can look for: states are known to the running gateway only. */
export async function storedFilter(
  filter: ChannelFilter,
  idsInState: ChannelDeps['idsInState'],
): Promise<ChannelFilter> {
  const read = filter.group === 'null' ? { ...filter, group: '' } : filter;
  const state = channelStates.find((name) => name === filter.state);
  return state === undefined ? read : { ...read, ids: await idsInState(state) };
}

/** What an audit entry keeps of the names: many are listed by their ids. */
function nameOfOne([one, ...others]: readonly Channel[]): { readonly name?: string } {
  return one === undefined || others.length > 0 ? {} : { name: one.name };
}
