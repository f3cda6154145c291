import type { Insertable, Selectable, Updateable } from 'kysely';
import { channelFields } from '../../entities/channel.ts';
import { parseObject } from '../../kernel/json.ts';
import { Secret } from '../../kernel/secret.ts';
import { channelStatuses } from '../../vocabulary/statuses.ts';
import type { Channel, ChannelChange, NewChannel, StatusNote } from '../entities/channel.ts';
import { defineEntityMapping } from '../mapping.ts';
import type { Database } from '../schema.ts';
import type { Vault } from '../vault.ts';

const mapping = defineEntityMapping<'channels', typeof channelFields>(channelFields);

/**
 * Encryption context of a key: its hash, which is known before the insert and depends on the key
 * itself.
 */
export const channelKeyContext = (keyHash: string): string => `channels:${keyHash}`;

/** Converts rows of `channels`, decrypting and encrypting the key. */
export interface ChannelRows {
  read(row: Selectable<Database['channels']>): Channel;
  insert(channel: NewChannel): Insertable<Database['channels']>;
  update(change: ChannelChange): Updateable<Database['channels']>;
}

export function createChannelRows(vault: Vault): ChannelRows {
  const sealKey = (key: string) => {
    const keyHash = vault.hash(key);
    return { key_hash: keyHash, key_enc: vault.seal(key, channelKeyContext(keyHash)) };
  };
  return {
    read: (row) => ({
      ...mapping.read(row),
      key: new Secret(vault.read(row.key_enc, channelKeyContext(row.key_hash))),
    }),
    insert: (channel) => ({ ...mapping.write(channel), ...sealKey(channel.key.reveal()) }),
    update: ({ key, ...change }) => ({
      ...mapping.write(change),
      ...(key === undefined ? {} : sealKey(key.reveal())),
    }),
  };
}

/**
 * `other_info` after a change of status. Enabling a channel removes the reason and the list of its
 * disabled keys (docs/rules/channels.md#channel-statuses).
 */
export function noteStatus(otherInfo: string, status: number, note: StatusNote): string {
  const { status_reason: _, disabled_keys: keys, ...rest } = parseObject(otherInfo) ?? {};
  const enabled = status === channelStatuses.enabled;
  return JSON.stringify({
    ...rest,
    ...(enabled || keys === undefined ? {} : { disabled_keys: keys }),
    ...(enabled ? {} : { status_reason: note.reason }),
    status_time: note.time,
  });
}
