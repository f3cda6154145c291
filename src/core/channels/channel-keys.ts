/** Several keys in one channel, as in forms and replies (docs/rules/routing.md#key-lines). */
import type { KeyFormat } from '../canonical/provider.ts';
import type { ChannelEntity } from '../contract/entities.ts';
import { AppError } from '../kernel/errors.ts';
import { isHeaderText } from '../kernel/header-text.ts';
import { parseObject } from '../kernel/json.ts';
import type { Channel } from '../storage/storage.ts';
import { fingerprint, listKeys, readKeyMode } from '../upstream/channel-keys.ts';
import { readDisabledKeys } from '../vocabulary/disabled-keys.ts';
import { splitKeys } from './channel-fields.ts';

/**
 * The key fields of the channels created from one text: a channel for each key
 * (docs/rules/channels.md#one-channel-per-key), or one channel with all keys if the setting has a
 * `multi_key_mode`. An empty text gives one channel without a key if the type needs none, else no
 * channel.
 */
export function keysOfNewChannels(
  text: string,
  setting: string,
  keyFormat: KeyFormat | undefined,
): readonly string[] {
  const keys = splitKeys(text, keyFormat);
  if (keys.length === 0) return keyFormat?.optional === true ? [''] : [];
  const together = keys.length > 1 && readKeyMode(parseObject(setting) ?? {}) !== undefined;
  return together ? [keys.join('\n')] : keys;
}

/**
 * Keys are sent in headers, unless they are JSON documents. Throws AppError header_text_invalid.
 */
export function checkKeys(text: string, keyFormat: KeyFormat | undefined): void {
  const isSendable = splitKeys(text, keyFormat).every(
    (key) => keyFormat?.json === true || isHeaderText(key),
  );
  if (!isSendable) throw new AppError('header_text_invalid', { field: 'key' });
}

/** Throws AppError invalid_parameter for a `multi_key_mode` that is neither absent nor known. */
export function checkKeyMode(setting: string | undefined): void {
  const fields = parseObject(setting ?? '') ?? {};
  const mode = fields['multi_key_mode'];
  if (mode === undefined || mode === null || mode === '' || readKeyMode(fields) !== undefined)
    return;
  throw new AppError('invalid_parameter', { field: 'setting.multi_key_mode' });
}

/** Undefined: the channel has one key. Keys are identified by position and never shown. */
export function describeKeys(
  channel: Channel,
  keyFormat: KeyFormat | undefined,
): ChannelEntity['multi_key'] {
  const keys = listKeys(channel.key.reveal(), keyFormat?.json === true);
  if (keys.length <= 1) return undefined;
  const notes = readDisabledKeys(channel.otherInfo);
  return {
    mode: readKeyMode(parseObject(channel.setting) ?? {}) ?? 'random',
    size: keys.length,
    disabled: keys.flatMap((key, index) => {
      const note = notes.size === 0 ? undefined : notes.get(fingerprint(key));
      return note === undefined ? [] : [{ position: index + 1, ...note }];
    }),
  };
}
