/** Log rows of LiteLLM (LiteLLM_SpendLogs) and the hourly sums that are made of them. */
import { logTypes } from '../../vocabulary/log-types.ts';
import { isTag, joinTags, mostTags } from '../../vocabulary/tags.ts';
import { moneyToQuota, toInteger, toSeconds, toTrimmed } from '../convert.ts';
import type { TableMapping } from '../mapping/mapping.ts';
import type { SourceRow, SourceValue } from '../source/source.ts';
import type { Accounts } from './accounts.ts';
import type { OldKey } from './keys.ts';
import { membersOf, textsOf } from './settings.ts';
import type { NumberedTable } from './view-source.ts';

export const usageTable = 'LiteLLM_SpendLogs';

/** By age. What was said is not carried, and may be large. */
export const usageOrder: NumberedTable = {
  order: ['startTime', 'request_id'],
  without: new Set(['messages', 'response', 'proxy_server_request']),
};

export interface HourOfUsage {
  readonly user_id: number;
  readonly username: string;
  readonly model_name: string;
  readonly created_at: number;
  quota: number;
  count: number;
  token_used: number;
}

export interface UsageOf {
  readonly accounts: Accounts;
  readonly keys: readonly OldKey[];
  readonly names: ReadonlyMap<number, string>;
  /** Of channels, by ids of deployments. */
  readonly channels: ReadonlyMap<string, number>;
  /** Gets the sums while rows are converted. */
  readonly hours: Map<string, HourOfUsage>;
}

const hour = 3600;

/** Milliseconds of a time without a zone, which is UTC. */
function milliseconds(value: SourceValue | undefined): number {
  const text = toTrimmed(value).replace(' ', 'T');
  const time = Date.parse(/(Z|[+-]\d\d(:?\d\d)?)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? 0 : time;
}

export function usageFrom({ accounts, keys, names, channels, hours }: UsageOf): TableMapping {
  const byDigest = new Map(keys.map((key) => [key.digest, key]));
  return {
    source: usageTable,
    target: 'logs',
    columns: {
      id: { as: 'integer' },
      created_at: { from: 'startTime', as: 'instant' },
      quota: { from: 'spend', as: 'money' },
      prompt_tokens: { as: 'integer' },
      completion_tokens: { as: 'integer' },
      request_id: { as: 'trimmed' },
    },
    alsoRead: [
      'call_type',
      'api_key',
      'total_tokens',
      'endTime',
      'completionStartTime',
      'model',
      'request_duration_ms',
      'model_id',
      'model_group',
      'custom_llm_provider',
      'api_base',
      'user',
      'metadata',
      'cache_hit',
      'cache_key',
      'request_tags',
      'team_id',
      'end_user',
      'requester_ip_address',
      'session_id',
      'status',
      'organization_id',
      'agent_id',
      'mcp_namespaced_tool_name',
      ...usageOrder.without,
    ],
    same: ['user_id', 'created_at'],
    figures: ['quota', 'prompt_tokens', 'completion_tokens'],
    user: 'user_id',
    refine(context, notes) {
      return (draft, source) => {
        const key = byDigest.get(toTrimmed(source['api_key']));
        const owner =
          key?.owner ??
          accounts.teams.get(toTrimmed(source['team_id'])) ??
          accounts.users.get(toTrimmed(source['user']));
        if (owner === undefined) notes.add('owner_missing', toTrimmed(source['request_id']));
        const started = milliseconds(source['startTime']);
        const lasted = Math.max(0, milliseconds(source['endTime']) - started);
        const first = milliseconds(source['completionStartTime']);
        const isStream = first > 0 && first < started + lasted;
        const isFailure = toTrimmed(source['status']) === 'failure';
        const model = toTrimmed(source['model_group']) || toTrimmed(source['model']);
        const row = {
          ...draft,
          user_id: owner?.id ?? 0,
          type: isFailure ? logTypes.error : logTypes.consume,
          content: '',
          username: owner === undefined ? '' : (names.get(owner.id) ?? ''),
          token_id: key?.id ?? 0,
          token_name: key?.name ?? '',
          model_name: model,
          channel_id: channels.get(toTrimmed(source['model_id'])) ?? 0,
          use_time: Math.floor(lasted / 1000),
          is_stream: isStream ? 1 : 0,
          group: 'default',
          tags: joinTags(tagsOf(source)),
          other: JSON.stringify({
            ...(lasted > 0 && { use_ms: lasted }),
            ...(isStream && first >= started && { frt: first - started }),
            ...cachedOf(source),
            ...addressOf(source),
          }),
        };
        if (!isFailure) addHour(hours, row, source, context.quotaPerUnit);
        return { row };
      };
    },
  };
}

/** Those that may be tags here. */
function tagsOf(source: SourceRow): readonly string[] {
  const tags = textsOf(source['request_tags']).filter((tag) => isTag(tag) && !tag.includes(','));
  return [...new Set(tags)].slice(0, mostTags);
}

/** Tokens of the prompt that were read from a cache, which `prompt_tokens` has in it. */
function cachedOf(source: SourceRow): { readonly cache_tokens?: number } {
  const usage = membersOf(membersOf(source['metadata'])['usage_object']);
  const details = membersOf(usage['prompt_tokens_details']);
  const tokens = Number(details['cached_tokens'] ?? usage['cache_read_input_tokens'] ?? 0);
  return tokens > 0 ? { cache_tokens: Math.floor(tokens) } : {};
}

function addressOf(source: SourceRow): { readonly ip?: string } {
  const ip = toTrimmed(source['requester_ip_address']);
  return ip === '' ? {} : { ip };
}

function addHour(
  hours: Map<string, HourOfUsage>,
  row: { readonly user_id: number; readonly username: string; readonly model_name: string },
  source: SourceRow,
  perUnit: number,
): void {
  const at = toSeconds(source['startTime']);
  const start = at - (at % hour);
  const key = `${row.user_id} ${start} ${row.model_name}`;
  const sum: HourOfUsage = hours.get(key) ?? {
    user_id: row.user_id,
    username: row.username,
    model_name: row.model_name,
    created_at: start,
    quota: 0,
    count: 0,
    token_used: 0,
  };
  sum.quota += toInteger(moneyToQuota(source['spend'], perUnit).quota);
  sum.count += 1;
  sum.token_used += toInteger(source['prompt_tokens']) + toInteger(source['completion_tokens']);
  hours.set(key, sum);
}
