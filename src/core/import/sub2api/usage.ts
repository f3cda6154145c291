import { logTypes } from '../../vocabulary/log-types.ts';
import { toDecimal, toInteger, toText, toTrimmed } from '../convert.ts';
import type { TableMapping } from '../mapping/mapping.ts';
import type { OldSite } from './old-site.ts';

/** What a request cost its caller is kept; of what it is made up of, the ratio of the group. */
export const usageFrom = (site: OldSite): TableMapping => ({
  source: 'usage_logs',
  target: 'logs',
  columns: {
    id: { as: 'integer' },
    user_id: { as: 'integer' },
    created_at: { as: 'instant' },
    model_name: { from: 'model', as: 'trimmed' },
    quota: { from: 'actual_cost', as: 'money' },
    prompt_tokens: { from: 'input_tokens', as: 'integer' },
    completion_tokens: { from: 'output_tokens', as: 'integer' },
    is_stream: { from: 'stream', as: 'flag' },
    channel_id: { from: 'account_id', as: 'integer' },
    token_id: { from: 'api_key_id', as: 'integer' },
    request_id: { as: 'trimmed' },
  },
  alsoRead: [
    'group_id',
    'subscription_id',
    'billing_type',
    'cache_creation_tokens',
    'cache_read_tokens',
    'cache_creation_5m_tokens',
    'cache_creation_1h_tokens',
    'rate_multiplier',
    'duration_ms',
    'first_token_ms',
    'ip_address',
    // Parts of `actual_cost`, and what it was before the ratio.
    'input_cost',
    'output_cost',
    'cache_creation_cost',
    'cache_read_cost',
    'total_cost',
  ],
  same: ['user_id', 'created_at'],
  figures: ['quota', 'prompt_tokens', 'completion_tokens'],
  user: 'user_id',
  refine() {
    return (draft, source) => {
      const group = site.groups.get(Number(source['group_id'] ?? 0))?.name ?? '';
      const read = toInteger(source['cache_read_tokens']);
      const written = toInteger(source['cache_creation_tokens']);
      const milliseconds = toInteger(source['duration_ms']);
      const ip = toTrimmed(source['ip_address']);
      const other = {
        group_ratio: toDecimal(source['rate_multiplier'] ?? 1),
        ...(group !== '' && { group }),
        // So that the prompt is known to be counted without cache reads and writes.
        ...(read + written > 0 && { claude: true }),
        ...(read > 0 && { cache_tokens: read }),
        ...(written > 0 && { cache_creation_tokens: written }),
        ...(milliseconds > 0 && { use_ms: milliseconds }),
        ...(source['first_token_ms'] !== null &&
          source['first_token_ms'] !== undefined && { frt: toInteger(source['first_token_ms']) }),
        ...(toText(source['billing_type']) === '1' && {
          subscription_id: toInteger(source['subscription_id']),
        }),
        ...(ip !== '' && { ip }),
      };
      return {
        row: {
          ...draft,
          type: logTypes.consume,
          content: '',
          username: site.usernames.get(Number(draft['user_id'])) ?? '',
          token_name: site.keyNames.get(Number(draft['token_id'])) ?? '',
          use_time: Math.floor(milliseconds / 1000),
          group,
          other: JSON.stringify(other),
        },
      };
    };
  },
});
