/** Where a channel's key is sent (docs/rules/channels.md#key-destination). */
import { isAiGateway } from '../canonical/kit/request-target.ts';
import type { Provider } from '../canonical/provider.ts';
import type { ProviderRegistry } from '../canonical/registry.ts';
import { parseObject } from '../kernel/json.ts';
import type { ChannelRecord } from '../upstream/channel.ts';
import { readChannelSetting } from '../upstream/rules/channel-setting.ts';

export interface KeyDestination {
  /** Who receives the key: the origin of the base URL, or the vendor at its own address. */
  readonly receiver: string;
  /** Scheme, host and port of the proxy; '': none. */
  readonly proxy: string;
  /** Address and proxy for the audit log, without credentials in them. */
  readonly shown: string;
}

export function keyDestination(
  { type, key, baseUrl, setting }: Pick<ChannelRecord, 'type' | 'key' | 'baseUrl' | 'setting'>,
  providers: ProviderRegistry,
): KeyDestination {
  const provider = providers.forChannel(type, {
    key,
    baseUrl,
    setting: parseObject(setting) ?? {},
  });
  const isVendors = baseUrl === '' || provider?.planNames?.includes(baseUrl) === true;
  const proxy = originOf(readChannelSetting(setting).proxy ?? '');
  const address = isVendors
    ? baseUrl || vendorAddress(provider, type)
    : withoutCredentials(baseUrl);
  return {
    receiver: isVendors ? originOf(vendorAddress(provider, type)) : receiverAt(baseUrl),
    proxy,
    shown: proxy === '' ? address : `${address} (proxy ${proxy})`,
  };
}

/**
 * Whether somebody may receive the key who did not before. A proxy that is removed receives
 * nothing.
 */
export function reachesOthers(before: KeyDestination, after: KeyDestination): boolean {
  return before.receiver !== after.receiver || (after.proxy !== '' && before.proxy !== after.proxy);
}

/** A name where the vendor has several hosts, of which a region or the key chooses one. */
function vendorAddress(provider: Provider | undefined, type: number): string {
  return provider?.defaultBaseUrl || (provider?.slug ?? `type ${type}`);
}

/** At a gateway that many accounts share the path names the account. */
function receiverAt(baseUrl: string): string {
  return isAiGateway(baseUrl.toLowerCase()) ? withoutCredentials(baseUrl) : originOf(baseUrl);
}

/** Scheme, host and port; a text that is no URL is returned unchanged. */
function originOf(text: string): string {
  if (!URL.canParse(text)) return text;
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}

function withoutCredentials(address: string): string {
  return URL.canParse(address)
    ? originOf(address) + new URL(address).pathname.replace(/\/+$/, '')
    : address;
}
