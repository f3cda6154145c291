import type { channelFields } from '../../entities/channel.ts';
import type { channelFilters } from '../../entities/channel-filters.ts';
import type { RowOf } from '../../entities/field.ts';
import type { FilterValues } from '../../entities/filters.ts';
import type { UpstreamBalance } from '../../vocabulary/balances.ts';
import type { Listing, PageRequest } from './listing.ts';

/** A row of `channels`: a configured upstream connection (docs/rules/process.md#tables). */
export type Channel = RowOf<typeof channelFields>;

export type NewChannel = Pick<Channel, 'type' | 'key' | 'name' | 'models' | 'createdTime'> &
  Partial<Omit<Channel, 'usedQuota' | 'key'>>;

export type ChannelChange = Partial<
  Omit<
    Channel,
    | 'id'
    | 'createdTime'
    | 'usedQuota'
    | 'testTime'
    | 'responseTime'
    | 'balance'
    | 'balanceUpdatedTime'
  >
>;

/** What the state of a channel depends on, of what is stored. */
export interface ChannelStatus extends Pick<Channel, 'id' | 'status' | 'testTime'> {
  /** Whether its last test failed. */
  readonly isTestFailed: boolean;
}

/** Order of channel lists: `priority` descending then id descending, or id descending only. */
export type ChannelOrder = 'priority' | 'id';

export type ChannelFilter = FilterValues<typeof channelFilters> & {
  readonly type?: number;
  /** Only these: those of a state, which is not stored. */
  readonly ids?: readonly number[];
};

/** What the channels of a tag are together. */
export interface TagSums {
  readonly tag: string;
  readonly channels: number;
  readonly enabled: number;
  readonly disabled: number;
  readonly autoDisabled: number;
  /** Whose last test failed. */
  readonly failed: number;
  readonly usedQuota: number;
  /** Milliseconds, mean of those whose last test went well; 0: none did. */
  readonly responseTime: number;
  readonly groups: readonly string[];
  /** The channels' common value, null where they differ. */
  readonly priority: number | null;
  readonly weight: number | null;
}

/**
 * Why and when a status was changed; stored in `other_info` as `status_reason`, `status_time` (Unix
 * seconds).
 */
export interface StatusNote {
  readonly reason: string;
  readonly time: number;
}

/**
 * Every write that touches models, groups, status, priority, weight or tag rebuilds the channel's
 * abilities in the same transaction (docs/rules/channels.md#abilities). The caller must invalidate
 * the routing cache.
 */
export interface ChannelRepository {
  find(id: number): Promise<Channel | null>;
  findMany(ids: readonly number[]): Promise<readonly Channel[]>;
  /** Id → name, for lists that show channel names. */
  names(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  page(order: ChannelOrder, page: PageRequest, filter?: ChannelFilter): Promise<Listing<Channel>>;
  /**
   * Pages over the distinct non-empty tags of matching channels, ascending, and returns all
   * channels of those tags, of which a status or a failed test selects; `total` counts tags. With
   * `untagged` the matching channels without a tag follow the tags, each as one entry of the pages
   * and of `total`.
   */
  pageByTag(
    order: ChannelOrder,
    page: PageRequest,
    filter?: ChannelFilter,
    untagged?: boolean,
  ): Promise<Listing<Channel>>;
  /**
   * The same pages with the sums of each tag instead of its channels, and the channels without a
   * tag after them.
   */
  pageOfTags(
    order: ChannelOrder,
    page: PageRequest,
    filter?: ChannelFilter,
  ): Promise<{
    readonly tags: readonly TagSums[];
    readonly channels: readonly Channel[];
    readonly total: number;
  }>;
  /** What the channels of a tag have in the fields that are edited together, each once. */
  tagValues(tag: string): Promise<readonly Pick<Channel, 'models' | 'group' | 'modelMapping'>[]>;
  /** All matches, at most `limit`. */
  search(filter: ChannelFilter, order: ChannelOrder, limit: number): Promise<readonly Channel[]>;
  /** All channels with one of the tags. */
  listByTags(tags: readonly string[], order: ChannelOrder): Promise<readonly Channel[]>;
  tags(): Promise<readonly string[]>;
  /** Inserts all channels with their abilities in one transaction. Returns the new ids in order. */
  insertMany(channels: readonly NewChannel[]): Promise<readonly number[]>;
  /** False when there is no such row. */
  update(id: number, change: ChannelChange): Promise<boolean>;
  /** Applies the same change to every channel of a tag. Returns their number. */
  updateByTag(tag: string, change: ChannelChange): Promise<number>;
  /** Sets the tag ('' removes it). Returns the number of channels. */
  setTag(ids: readonly number[], tag: string): Promise<number>;
  /**
   * Changes the status from `from` to `to`, with reason and time; false if it is not `from`. Status
   * 1 clears the reason and enables every key of the channel again.
   */
  setStatus(id: number, from: number, to: number, note: StatusNote): Promise<boolean>;
  /** The same for several channels in one transaction; `status` is the current one of each. */
  setStatusMany(
    channels: readonly Pick<Channel, 'id' | 'status'>[],
    to: number,
    note: StatusNote,
  ): Promise<void>;
  /**
   * Records in `other_info` that one of several keys, identified by its fingerprint, is disabled.
   * False: no such row.
   */
  disableKey(id: number, keyName: string, note: StatusNote): Promise<boolean>;
  /**
   * Rewrites keys and the list of disabled ones from the row as it is when it is locked. What
   * `edit` throws undoes it. False: no such row.
   */
  editKeys(
    id: number,
    edit: (channel: Channel) => Pick<ChannelChange, 'key' | 'otherInfo'>,
  ): Promise<boolean>;
  /** Changes the status of all channels of a tag. Returns how many changed. */
  setStatusByTag(tag: string, to: number, note: StatusNote): Promise<number>;
  /**
   * `responseTime` in ms, `testTime` in Unix seconds. `error` ('' for success) is stored in
   * `other_info` as `test_error`.
   */
  updateTestResult(
    id: number,
    responseTime: number,
    testTime: number,
    error: string,
  ): Promise<void>;
  /** The currency is stored in `other_info` as `balance_currency`. */
  updateBalance(id: number, balance: UpstreamBalance, updatedTime: number): Promise<void>;
  /** Deletes channels and their abilities. Returns the number of deleted channels. */
  delete(ids: readonly number[]): Promise<number>;
  /**
   * Deletes channels of status 2 and 3 and their abilities. Returns the number of deleted channels.
   */
  deleteDisabled(): Promise<number>;
  count(): Promise<number>;
  /** All enabled channels with decrypted keys, for the routing index. */
  listAllEnabled(): Promise<readonly Channel[]>;
  /** Of every channel, id ascending; cheap, because no text is read. */
  listStates(): Promise<readonly ChannelStatus[]>;
  /** Of these channels, in any order; of all without `ids`, id ascending. No key is decrypted. */
  listNames(
    ids?: readonly number[],
  ): Promise<readonly Pick<Channel, 'id' | 'name' | 'type' | 'otherInfo'>[]>;
  /** Every channel, id ascending. */
  listAll(): Promise<readonly Channel[]>;
}

/** A row of `abilities`: this group may use this model on this channel. */
export interface Ability {
  readonly group: string;
  readonly model: string;
  readonly channelId: number;
  readonly enabled: boolean;
  readonly priority: number;
  readonly weight: number;
  readonly tag: string;
}

export interface AbilityRepository {
  listEnabled(): Promise<readonly Ability[]>;
  listByChannel(channelId: number): Promise<readonly Ability[]>;
  /** Distinct models of enabled abilities, sorted; of all groups when `groups` is absent. */
  enabledModels(groups?: readonly string[]): Promise<readonly string[]>;
  /** Distinct groups of enabled abilities, sorted. */
  enabledGroups(): Promise<readonly string[]>;
  /**
   * Deletes abilities of missing channels and rebuilds all others. Returns the number of channels.
   */
  rebuildAll(): Promise<number>;
}
