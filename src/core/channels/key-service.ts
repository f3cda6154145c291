/**
 * The keys of a channel that has several: their state, and what is done with single ones
 * (docs/rules/channels.md#single-keys).
 */
import type { Actor } from '../kernel/actor.ts';
import { nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { parseObject } from '../kernel/json.ts';
import { startOfLocalDay } from '../kernel/local-time.ts';
import { Secret } from '../kernel/secret.ts';
import type { Channel, ChannelRepository } from '../storage/storage.ts';
import { fingerprint, type KeyMode, listKeys, readKeyMode } from '../upstream/channel-keys.ts';
import {
  type DisabledKey,
  readDisabledKeys,
  writeDisabledKeys,
} from '../vocabulary/disabled-keys.ts';
import { checkKeys } from './channel-keys.ts';
import type { ChannelDeps } from './channel-service.ts';

export interface StoredKey {
  /** From 1. */
  readonly position: number;
  /** Its fingerprint. */
  readonly name: string;
  readonly disabled: DisabledKey | undefined;
}

/** What was charged through a key, in quota (docs/rules/channels.md#spend-of-keys). */
export interface KeySpend {
  /** Since midnight in the server's zone. */
  readonly today: number;
  /** In these and the 29 days before. */
  readonly days30: number;
  readonly all: number;
}

export interface StoredKeys {
  readonly mode: KeyMode;
  readonly keys: readonly StoredKey[];
}

/** Of keys that were to be added. */
export interface AddedKeys extends StoredKeys {
  readonly added: number;
  /** The channel has the key at `place` of what was sent already, at `position`; both from 1. */
  readonly repeated: readonly { readonly place: number; readonly position: number }[];
}

export type KeyEdit = 'enable' | 'disable' | 'remove';

export interface ChannelKeyService {
  /** Throws AppError not_found. */
  list(id: number): Promise<StoredKeys>;
  /** By fingerprint; keys without a charge are missing. */
  spend(id: number): Promise<ReadonlyMap<string, KeySpend>>;
  /**
   * Changes the keys with these fingerprints; unknown ones are ignored. Throws AppError not_found,
   * and channel_last_key if no enabled key would be left: then the channel itself is to be
   * disabled.
   */
  edit(
    actor: Actor,
    id: number,
    action: KeyEdit,
    names: readonly string[],
    /** Why keys are disabled; '': by hand. */
    reason?: string,
  ): Promise<StoredKeys>;
  /**
   * Adds keys behind those of the channel, each once. Throws AppError not_found, and what a new
   * channel with such keys is refused for.
   */
  add(actor: Actor, id: number, text: string): Promise<AddedKeys>;
}

const dayMs = 86_400_000;

export function createChannelKeyService({
  storage,
  commit,
  clock,
  providers,
}: ChannelDeps): ChannelKeyService {
  const isJson = (channel: Channel) => providers.forType(channel.type)?.keyFormat.json === true;
  const textsOf = (channel: Channel) => listKeys(channel.key.reveal(), isJson(channel));
  const read = (channel: Channel): StoredKeys => {
    const notes = readDisabledKeys(channel.otherInfo);
    return {
      mode: readKeyMode(parseObject(channel.setting) ?? {}) ?? 'random',
      keys: textsOf(channel).map((text, index) => {
        const name = fingerprint(text);
        return { position: index + 1, name, disabled: notes.get(name) };
      }),
    };
  };
  const find = async (channels: ChannelRepository, id: number): Promise<Channel> => {
    const channel = await channels.find(id);
    if (channel === null) throw new AppError('not_found');
    return channel;
  };

  return {
    list: async (id) => read(await find(storage.channels, id)),
    spend: async (id) => {
      const now = clock.now();
      const starts = [startOfLocalDay(now), startOfLocalDay(now - 29 * dayMs), 0];
      const [today, days30, all] = await Promise.all(
        starts.map(async (from) => {
          const sums = await storage.quotaData.listKeys(id, from);
          return new Map(sums.map(({ name, quota }) => [name, quota]));
        }),
      );
      return new Map(
        [...(all ?? [])].map(([name, quota]) => [
          name,
          { today: today?.get(name) ?? 0, days30: days30?.get(name) ?? 0, all: quota },
        ]),
      );
    },
    edit: (actor, id, action, names, reason = '') =>
      commit(async (inside, notes) => {
        const chosen = new Set(names);
        let touched = 0;
        let name = '';
        const isFound = await inside.channels.editKeys(id, (channel) => {
          const texts = textsOf(channel);
          name = channel.name;
          const noted = new Map(readDisabledKeys(channel.otherInfo));
          const kept =
            action === 'remove' ? texts.filter((text) => !chosen.has(fingerprint(text))) : texts;
          touched = texts.filter((text) => chosen.has(fingerprint(text))).length;
          const note = { reason, time: nowSeconds(clock) };
          for (const name of texts.map((text) => fingerprint(text))) {
            if (!chosen.has(name)) continue;
            if (action !== 'disable') noted.delete(name);
            else if (!noted.has(name)) noted.set(name, note);
          }
          if (action !== 'enable' && !kept.some((text) => !noted.has(fingerprint(text))))
            throw new AppError('channel_last_key');
          const otherInfo = writeDisabledKeys(channel.otherInfo, noted);
          return kept.length === texts.length
            ? { otherInfo }
            : { otherInfo, key: joined(kept, isJson(channel)) };
        });
        if (!isFound) throw new AppError('not_found');
        notes.record(actor, `channel.${action}_keys`, id, {
          name,
          keys: [...chosen],
          count: touched,
          ...(reason !== '' && { reason }),
        });
        notes.changed('channels', id);
        return read(await find(inside.channels, id));
      }),
    add: (actor, id, text) =>
      commit(async (inside, notes) => {
        const repeated: { place: number; position: number }[] = [];
        const fresh: string[] = [];
        let name = '';
        const isFound = await inside.channels.editKeys(id, (channel) => {
          const format = providers.forType(channel.type)?.keyFormat;
          checkKeys(text, format);
          name = channel.name;
          const json = isJson(channel);
          const stored = textsOf(channel).filter((one) => one !== '');
          const all = json ? stored.map(document) : [...stored];
          for (const [index, entered] of listKeys(text, json).entries()) {
            const one = json ? document(entered) : entered;
            const at = all.indexOf(one);
            if (at >= 0) {
              repeated.push({ place: index + 1, position: at + 1 });
              continue;
            }
            fresh.push(one);
            all.push(one);
          }
          return fresh.length === 0 ? {} : { key: joined(all, json) };
        });
        if (!isFound) throw new AppError('not_found');
        if (fresh.length > 0) {
          const keys = fresh.map((one) => fingerprint(one));
          notes.record(actor, 'channel.add_keys', id, { name, keys, count: fresh.length });
          notes.changed('channels', id);
        }
        return { ...read(await find(inside.channels, id)), added: fresh.length, repeated };
      }),
  };
}

/** As it stands in an array of keys. Throws AppError json_object_required. */
function document(text: string): string {
  const fields = parseObject(text);
  if (fields === undefined) throw new AppError('json_object_required', { field: 'key' });
  return JSON.stringify(fields);
}

/** The key field that holds these keys (docs/rules/routing.md#key-lines). */
function joined(texts: readonly string[], json: boolean): Secret {
  return new Secret(json && texts.length > 1 ? `[${texts.join(',')}]` : texts.join('\n'));
}
