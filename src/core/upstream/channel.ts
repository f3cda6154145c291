/** A stored channel made ready for calls: its provider found, its JSON fields parsed once. */

import { parseObject } from '../kernel/json.ts';
import type { Secret } from '../kernel/secret.ts';
import { providerForChannel } from '../providers/index.ts';
import type { Call, Provider, ProviderOptions } from '../providers/provider.ts';
import { readKeyMode } from './channel-keys.ts';
import { type ChannelKeys, withKeys } from './keyed-channel.ts';
import { type ChannelRules, readChannelRules } from './rules/index.ts';

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
  readonly proxy: string | undefined;
  /** What the administrator wrote about its requests. */
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
   * Names under which its health is kept: its own, and its key's where it has several. They change with what calls go to
   * (address, proxy, key), so that a repaired channel starts afresh.
   */
  readonly lanes: readonly string[];
  /** Undefined: it has one key. Else `key` is the first that is not switched off. */
  readonly keys: ChannelKeys | undefined;
  /** Position of `key` among several, from 1; 0: the only one. */
  readonly keyPosition: number;
  /** Names the key in `other_info.disabled_keys`; undefined: the only one. */
  readonly keyName?: string;
}

/** `a, b,,a` → `['a', 'b']`. */
export function splitList(text: string): readonly string[] {
  return [...new Set(text.split(',').map((item) => item.trim()))].filter((item) => item !== '');
}

function stringEntries(text: string): Record<string, string> {
  const entries = Object.entries(parseObject(text) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

/** Undefined when no provider serves the channel's type. JSON that does not parse was refused on save; here it is empty. */
export function prepareChannel(record: ChannelRecord): UpstreamChannel | undefined {
  const setting = parseObject(record.setting) ?? {};
  const provider = providerForChannel(record.type, { key: record.key, baseUrl: record.baseUrl, setting });
  if (provider === undefined) return undefined;
  const settings = provider.settings.safeParse(setting);
  const rules = readChannelRules(record);
  const channel = {
    id: record.id,
    type: record.type,
    name: record.name,
    provider,
    baseUrl: (record.baseUrl === '' ? (provider.defaultBaseUrl ?? '') : record.baseUrl).replace(/\/+$/, ''),
    key: record.key,
    organization: record.openaiOrganization,
    other: record.other,
    settings: settings.success ? settings.data : provider.settings.parse({}),
    proxy: rules.proxy,
    rules,
    groups: splitList(record.group),
    models: splitList(record.models),
    modelMapping: stringEntries(record.modelMapping),
    statusCodeMapping: rules.statusCodeMapping,
    priority: record.priority,
    weight: record.weight,
    autoBan: record.autoBan,
    tag: record.tag,
  };
  return withKeys(channel, record, readKeyMode(setting) ?? 'random');
}

/** What the caller's request adds to a call. Empty for tests and account calls. */
export interface ClientPart {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}
export const noClient: ClientPart = { path: '', headers: {} };

/** A fresh, immutable call per attempt: nothing of an earlier channel can leak into it (spec, relay 6, fault 4). */
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
