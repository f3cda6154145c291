/** A channel as it is stored, a channel prepared for calls, and one call to it. */

import type { Call, Provider, ProviderOptions } from '../canonical/provider.ts';
import type { Secret } from '../kernel/secret.ts';
import type { KeyMode } from './channel-keys.ts';
import type { ChannelCost } from './rules/channel-cost.ts';
import type { ChannelRules } from './rules/index.ts';

/** The columns of a channel that calls need. */
export interface ChannelRecord {
  readonly id: number;
  readonly type: number;
  readonly name: string;
  readonly key: Secret;
  readonly baseUrl: string;
  readonly openaiOrganization: string;
  readonly other: string;
  readonly models: string;
  readonly group: string;
  readonly modelMapping: string;
  readonly statusCodeMapping: string;
  readonly setting: string;
  readonly paramOverride: string;
  readonly cost: string;
  readonly priority: number;
  readonly weight: number;
  readonly autoBan: boolean;
  readonly tag: string;
  readonly otherInfo: string;
}

export interface UpstreamChannel {
  readonly id: number;
  readonly type: number;
  readonly name: string;
  readonly provider: Provider;
  readonly baseUrl: string;
  readonly key: Secret;
  readonly organization: string;
  readonly other: string;
  readonly settings: unknown;
  /** Usage of zero that it reports is believed (docs/rules/metering.md#zero-usage). */
  readonly believesZeroUsage: boolean;
  readonly proxy: string | undefined;
  /** Undefined: the channel does not name its cost. */
  readonly cost: ChannelCost | undefined;
  /** The administrator's rules for its requests. */
  readonly rules: ChannelRules;
  readonly groups: readonly string[];
  readonly models: readonly string[];
  readonly modelMapping: Readonly<Record<string, string>>;
  readonly statusCodeMapping: ReadonlyMap<number, number>;
  readonly priority: number;
  readonly weight: number;
  readonly autoBan: boolean;
  readonly tag: string;
  /**
   * Keys under which its health is tracked: the channel's, and its key's if it has several. They
   * change with address, proxy and key, so that a corrected channel starts without its failures.
   */
  readonly healthKeys: readonly string[];
  /** Undefined: it has one key. Otherwise `key` is the first enabled one. */
  readonly keys: ChannelKeys | undefined;
  /** Position of `key` among several, from 1; 0: it is the only one. */
  readonly keyPosition: number;
  /** Name of the key in `other_info.disabled_keys`; undefined: it is the only one. */
  readonly keyName?: string;
}

export interface ChannelKeys {
  readonly mode: KeyMode;
  readonly total: number;
  /** The channel once for each enabled key. */
  readonly enabled: readonly KeyedChannel[];
}

/** A channel with one of its several keys. */
export interface KeyedChannel extends UpstreamChannel {
  /** Name of the key in `other_info.disabled_keys`. */
  readonly keyName: string;
}

/** `a, b,,a` → `['a', 'b']`. */
export function splitList(text: string): readonly string[] {
  return [...new Set(text.split(',').map((item) => item.trim()))].filter((item) => item !== '');
}

/** What the caller's request contributes to a call. Empty for tests and account calls. */
export interface ClientPart {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}
export const noClient: ClientPart = { path: '', headers: {} };

/**
 * A new, immutable call for each attempt, so that nothing of an earlier channel leaks into it
 * (docs/rules/routing.md#fresh-call).
 */
export function buildCall(
  channel: UpstreamChannel,
  model: string,
  client: ClientPart,
  options: ProviderOptions,
  now: number,
): Call {
  return {
    baseUrl: channel.baseUrl,
    key: channel.key,
    model,
    clientPath: client.path,
    clientHeaders: client.headers,
    organization: channel.organization,
    other: channel.other,
    settings: channel.settings,
    options,
    now: new Date(now),
  };
}
