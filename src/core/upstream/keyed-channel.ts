/**
 * Prepares a channel once per key, so that an attempt with one key works like an attempt on any
 * channel.
 */
import { Secret } from '../kernel/secret.ts';
import { readDisabledKeys } from '../vocabulary/disabled-keys.ts';
import type { ChannelRecord, UpstreamChannel } from './channel.ts';
import { fingerprint, type KeyMode, listKeys } from './channel-keys.ts';

type Keyless = Omit<UpstreamChannel, 'key' | 'healthKeys' | 'keys' | 'keyPosition'>;

export function withKeys(channel: Keyless, record: ChannelRecord, mode: KeyMode): UpstreamChannel {
  const texts = listKeys(record.key.reveal(), channel.provider.keyFormat.json === true);
  const healthKey = (...secrets: string[]) =>
    `${channel.id}.${fingerprint(channel.baseUrl, channel.proxy ?? '', ...secrets)}`;
  if (texts.length <= 1) {
    const [text = ''] = texts;
    return {
      ...channel,
      key: new Secret(text),
      healthKeys: [healthKey(text)],
      keys: undefined,
      keyPosition: 0,
    };
  }
  const disabled = readDisabledKeys(record.otherInfo);
  const keyed = texts.map((text, index) => ({
    ...channel,
    key: new Secret(text),
    healthKeys: [healthKey(), healthKey(text)],
    keys: undefined,
    keyPosition: index + 1,
    keyName: fingerprint(text),
  }));
  const enabled = keyed.filter(({ keyName }) => !disabled.has(keyName));
  // Tests and account calls need a key even when all are disabled.
  const { key } = enabled[0] ?? keyed[0] ?? record;
  return {
    ...channel,
    key,
    healthKeys: [healthKey()],
    keys: { mode, total: texts.length, enabled },
    keyPosition: 0,
  };
}

/** The channel without one of its keys, until it is loaded again. */
export function withoutKey(channel: UpstreamChannel, keyName: string): UpstreamChannel {
  const { keys } = channel;
  if (keys === undefined) return channel;
  const enabled = keys.enabled.filter((one) => one.keyName !== keyName);
  return { ...channel, key: enabled[0]?.key ?? channel.key, keys: { ...keys, enabled } };
}
