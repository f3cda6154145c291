import type { ProviderRegistry } from '../canonical/registry.ts';
import type { ChannelKeyList } from '../contract/channel-keys.ts';
import type { ChannelEntity } from '../contract/entities.ts';
import { channelFields } from '../entities/channel.ts';
import { createPresenter } from '../entities/convert.ts';
import type { Channel } from '../storage/storage.ts';
import { readCurrency } from '../vocabulary/balances.ts';
import { readTestError } from '../vocabulary/test-errors.ts';
import { describeKeys } from './channel-keys.ts';
import type { KeySpend, StoredKeys } from './key-service.ts';

const present = createPresenter(channelFields);

/** A channel's health in the relay. Absent: healthy. */
export interface ChannelHealth {
  readonly circuit?: { readonly since: number; readonly retryIn: number; readonly cause: string };
  readonly cooling: readonly { readonly model: string; readonly seconds: number }[];
}

/**
 * The key is always empty in replies, because stored keys never leave the server
 * (docs/rules/console-api.md#hidden-values).
 */
export function presentChannel(
  channel: Channel,
  providers: ProviderRegistry,
  { circuit, cooling }: ChannelHealth = { cooling: [] },
): ChannelEntity {
  const { isUnreadable } = channel.key;
  const keys = isUnreadable
    ? undefined
    : describeKeys(channel, providers.forType(channel.type)?.keyFormat);
  const currency = readCurrency(channel.otherInfo);
  const testError = readTestError(channel.otherInfo);
  return {
    ...present({ ...channel, key: '' }),
    ...(isUnreadable ? { unreadable: true } : {}),
    ...(channel.key.isEmpty ? { keyless: true } : {}),
    ...(currency === '' ? {} : { balance_currency: currency }),
    ...(testError === '' ? {} : { test_error: testError }),
    ...(circuit === undefined ? {} : { tripped: true }),
    ...presentHealth({ circuit, cooling }),
    ...(keys === undefined ? {} : { multi_key: keys }),
  };
}

export function presentKeys(
  { mode, keys }: StoredKeys,
  health: ReadonlyMap<string, ChannelHealth>,
  spend: ReadonlyMap<string, KeySpend>,
): ChannelKeyList {
  return {
    mode,
    keys: keys.map(({ position, name, disabled }) => ({
      position,
      name,
      enabled: disabled === undefined,
      reason: disabled?.reason ?? '',
      time: disabled?.time ?? 0,
      spent_today: spend.get(name)?.today ?? 0,
      spent_30_days: spend.get(name)?.days30 ?? 0,
      spent: spend.get(name)?.all ?? 0,
      ...presentHealth(health.get(name) ?? { cooling: [] }),
    })),
  };
}

function presentHealth({
  circuit,
  cooling,
}: { readonly circuit?: ChannelHealth['circuit'] | undefined } & Pick<ChannelHealth, 'cooling'>) {
  return {
    ...(circuit === undefined
      ? {}
      : { circuit: { since: circuit.since, retry_in: circuit.retryIn, cause: circuit.cause } }),
    ...(cooling.length > 0 ? { cooling: [...cooling] } : {}),
  };
}
