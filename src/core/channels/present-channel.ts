import type { ProviderRegistry } from '../canonical/registry.ts';
import type { ChannelEntity } from '../contract/entities.ts';
import type { Channel } from '../storage/storage.ts';
import { readCurrency } from '../vocabulary/balances.ts';
import { readTestError } from '../vocabulary/test-errors.ts';
import { describeKeys } from './channel-keys.ts';

/** What the router knows of a channel; without it, nothing keeps traffic away. */
export interface ChannelHealth {
  readonly circuit?: { readonly since: number; readonly retryIn: number; readonly cause: string };
  readonly cooling: readonly { readonly model: string; readonly seconds: number }[];
}

/** A stored key never leaves the server: the field is always empty (docs/rules/console-api.md#hidden-values). */
export function presentChannel(
  channel: Channel,
  providers: ProviderRegistry,
  { circuit, cooling }: ChannelHealth = { cooling: [] },
): ChannelEntity {
  const keys = describeKeys(channel, providers.forType(channel.type)?.keyFormat);
  const currency = readCurrency(channel.otherInfo);
  const testError = readTestError(channel.otherInfo);
  return {
    id: channel.id,
    type: channel.type,
    key: '',
    name: channel.name,
    status: channel.status,
    models: channel.models,
    group: channel.group,
    base_url: channel.baseUrl,
    other: channel.other,
    openai_organization: channel.openaiOrganization,
    test_model: channel.testModel,
    max_input_tokens: channel.maxInputTokens,
    model_mapping: channel.modelMapping,
    status_code_mapping: channel.statusCodeMapping,
    priority: channel.priority,
    weight: channel.weight,
    auto_ban: channel.autoBan ? 1 : 0,
    tag: channel.tag,
    setting: channel.setting,
    param_override: channel.paramOverride,
    other_info: channel.otherInfo,
    response_time: channel.responseTime,
    test_time: channel.testTime,
    balance: channel.balance,
    balance_updated_time: channel.balanceUpdatedTime,
    used_quota: channel.usedQuota,
    created_time: channel.createdTime,
    ...(currency === '' ? {} : { balance_currency: currency }),
    ...(testError === '' ? {} : { test_error: testError }),
    ...(circuit === undefined
      ? {}
      : { tripped: true, circuit: { since: circuit.since, retry_in: circuit.retryIn, cause: circuit.cause } }),
    ...(cooling.length > 0 ? { cooling: [...cooling] } : {}),
    ...(keys === undefined ? {} : { multi_key: keys }),
  };
}
