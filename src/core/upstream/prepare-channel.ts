/** Prepares a stored channel for calls: resolves its provider and parses its JSON fields once. */
import type { ProviderRegistry } from '../canonical/registry.ts';
import { parseObject } from '../kernel/json.ts';
import { listedModel } from '../vocabulary/fixed-models.ts';
import { type ChannelRecord, splitList, type UpstreamChannel } from './channel.ts';
import { readKeyMode } from './channel-keys.ts';
import { withKeys } from './keyed-channel.ts';
import { readChannelCost } from './rules/channel-cost.ts';
import { readChannelRules } from './rules/index.ts';

function stringEntries(text: string): Record<string, string> {
  const entries = Object.entries(parseObject(text) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

/**
 * Vendors without a host of their own for all (Azure, Bedrock) are at whatever address the channel
 * has.
 */
function isOwnAddress(given: string, own: string | null): boolean {
  if (given === '' || own === null || own === '') return true;
  return URL.canParse(given) && new URL(given).hostname === new URL(own).hostname;
}

/**
 * Undefined when no provider supports the channel's type. Invalid JSON, which is refused on save,
 * counts as empty.
 */
export function prepareChannel(
  record: ChannelRecord,
  providers: ProviderRegistry,
): UpstreamChannel | undefined {
  const setting = parseObject(record.setting) ?? {};
  const provider = providers.forChannel(record.type, {
    key: record.key,
    baseUrl: record.baseUrl,
    setting,
  });
  if (provider === undefined) return undefined;
  const settings = provider.settings.safeParse(setting);
  const rules = readChannelRules(record);
  const channel = {
    id: record.id,
    type: record.type,
    name: record.name,
    provider,
    baseUrl: (record.baseUrl === '' ? (provider.defaultBaseUrl ?? '') : record.baseUrl).replace(
      /\/+$/,
      '',
    ),
    key: record.key,
    organization: record.openaiOrganization,
    other: record.other,
    settings: settings.success ? settings.data : provider.settings.parse({}),
    believesZeroUsage:
      rules.believesZeroUsage ??
      (provider.measuresUsage === true && isOwnAddress(record.baseUrl, provider.defaultBaseUrl)),
    proxy: rules.proxy,
    cost: readChannelCost(record.cost),
    rules,
    groups: splitList(record.group),
    models: [...new Set(splitList(record.models).map(listedModel))],
    modelMapping: stringEntries(record.modelMapping),
    statusCodeMapping: rules.statusCodeMapping,
    priority: record.priority,
    weight: record.weight,
    autoBan: record.autoBan,
    tag: record.tag,
  };
  return withKeys(channel, record, readKeyMode(setting) ?? 'random');
}
