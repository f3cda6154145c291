import type { Actor } from '../kernel/actor.ts';
import { nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { StatusNote, Storage } from '../storage/storage.ts';
import { readDisabledKeys } from '../vocabulary/disabled-keys.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import { readChannelFields } from './channel-fields.ts';
import type { ChannelDeps } from './channel-service.ts';

export interface TagEdit {
  /** '' dissolves the tag; absent keeps it. */
  readonly newTag?: string;
  /** '' and absent mean unchanged, as for the next two fields. */
  readonly modelMapping?: string;
  readonly models?: string;
  readonly group?: string;
  readonly priority?: number;
  readonly weight?: number;
}

/**
 * Changes to all channels of a tag at once (docs/rules/channels.md#tags). Throws AppError
 * tag_required, not_found.
 */
export interface ChannelTags {
  /** What an edit of the tag would replace. */
  values(tag: string): Promise<TagValues>;
  edit(actor: Actor, tag: string, edit: TagEdit): Promise<void>;
  /** Enabling also enables keys that the gateway had disabled. */
  setEnabled(actor: Actor, tag: string, enabled: boolean): Promise<void>;
  /** '' removes the tag. Returns the number of channels. */
  assign(actor: Actor, ids: readonly number[], tag: string): Promise<number>;
}

/** What the channels of a tag have, each value once, sorted. */
export interface TagValues {
  readonly models: readonly string[];
  readonly groups: readonly string[];
  readonly modelMappings: readonly string[];
}

/** Any type whose fields need no region: tags span types. */
const anyType = 1;

export function createChannelTags({ storage, commit, clock, providers }: ChannelDeps): ChannelTags {
  const idsOf = async ({ channels }: Storage, tag: string): Promise<readonly number[]> =>
    (await channels.listByTags([tag], 'id')).map(({ id }) => id);
  /** Enabling an enabled channel enables its disabled keys, as for a single channel. */
  const reviveKeys = async (
    { channels }: Storage,
    tag: string,
    note: StatusNote,
  ): Promise<void> => {
    for (const { id, otherInfo } of await channels.listByTags([tag], 'id')) {
      if (readDisabledKeys(otherInfo).size === 0) continue;
      await channels.setStatus(id, channelStatuses.enabled, channelStatuses.enabled, note);
    }
  };
  const requireTag = (tag: string): string => {
    if (tag.trim() === '') throw new AppError('tag_required');
    return tag.trim();
  };

  return {
    values: async (tag) => {
      const rows = await storage.channels.tagValues(requireTag(tag));
      if (rows.length === 0) throw new AppError('not_found');
      const all = (texts: readonly string[]) => [...new Set(texts)].sort();
      const listed = (field: 'models' | 'group') =>
        all(rows.flatMap((row) => row[field].split(','))).filter((name) => name !== '');
      return {
        models: listed('models'),
        groups: listed('group'),
        modelMappings: all(rows.map(({ modelMapping }) => modelMapping)),
      };
    },
    edit: async (actor, tag, { newTag, priority, weight, ...texts }) => {
      const name = requireTag(tag);
      const given = Object.fromEntries(
        Object.entries(texts).filter(([, value]) => value !== undefined && value !== ''),
      );
      const change = readChannelFields(
        {
          ...given,
          ...(newTag !== undefined && { tag: newTag }),
          ...(priority !== undefined && { priority }),
          ...(weight !== undefined && { weight }),
        },
        anyType,
        providers,
      );
      const { key: _, ...columns } = change;
      if (Object.keys(columns).length === 0) return;
      const values = Object.entries(columns).map(([field, to]) => [
        field,
        field === 'paramOverride' ? {} : { to },
      ]);
      await commit(async (inside, notes) => {
        const ids = await idsOf(inside, name);
        if ((await inside.channels.updateByTag(name, columns)) === 0)
          throw new AppError('not_found');
        notes.record(actor, 'channel.edit_tag', name, { changes: Object.fromEntries(values) });
        notes.changed('channels', ids);
      });
    },
    setEnabled: async (actor, tag, enabled) => {
      const name = requireTag(tag);
      const status = enabled ? channelStatuses.enabled : channelStatuses.disabled;
      const note = { reason: '', time: nowSeconds(clock) };
      await commit(async (inside, notes) => {
        await inside.channels.setStatusByTag(name, status, note);
        if (enabled) await reviveKeys(inside, name, note);
        notes.record(actor, enabled ? 'channel.enable_tag' : 'channel.disable_tag', name);
        notes.changed('channels', await idsOf(inside, name));
      });
    },
    assign: (actor, ids, tag) =>
      commit(async (inside, notes) => {
        if (ids.length === 0) throw new AppError('invalid_parameter', { field: 'ids' });
        const count = await inside.channels.setTag(ids, tag.trim());
        notes.record(actor, 'channel.assign_tag', tag.trim(), { ids });
        notes.changed('channels', ids);
        return count;
      }),
  };
}
