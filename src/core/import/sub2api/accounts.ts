import { isObject } from '../../kernel/json.ts';
import { channelStatuses } from '../../vocabulary/statuses.ts';
import { toSeconds, toText, toTrimmed } from '../convert.ts';
import type { TableMapping } from '../mapping/mapping.ts';
import type { OldSite } from './old-site.ts';

/** Our channel types of their platforms. */
const platforms: Readonly<Record<string, number>> = {
  openai: 1,
  anthropic: 14,
  gemini: 24,
  grok: 48,
};
/** Kinds of accounts that have a key; the others signed in at the vendor. */
const withKey: ReadonlySet<string> = new Set(['apikey', 'upstream']);

/** `priority` is 1 to 100 there, and the lowest is tried first; here it is the highest. */
const turned = (priority: number) => 100 - priority;

export const accountsFrom = (site: OldSite): TableMapping => ({
  source: 'accounts',
  target: 'channels',
  columns: {
    id: { as: 'integer' },
    name: { as: 'trimmed' },
    status: { as: 'trimmed' },
    priority: { as: 'integer', missing: 50 },
    created_time: { from: 'created_at', as: 'instant' },
  },
  // Beside what is read, how accounts fared lately.
  alsoRead: [
    'platform',
    'type',
    'credentials',
    'proxy_id',
    'schedulable',
    'deleted_at',
    'updated_at',
    'last_used_at',
    'error_message',
    'rate_limited_at',
    'rate_limit_reset_at',
    'overload_until',
    'temp_unschedulable_until',
    'temp_unschedulable_reason',
    'session_window_start',
    'session_window_end',
    'session_window_status',
    'auto_pause_on_expired',
  ],
  same: ['created_time'],
  figures: [],
  refine(_context, notes) {
    return (draft, source) => {
      const id = Number(draft['id']);
      const named = `${id} ${draft['name']}`;
      const platform = toTrimmed(source['platform']);
      const kind = toTrimmed(source['type']);
      if (toSeconds(source['deleted_at']) > 0) {
        notes.add('deleted_there', named);
        return null;
      }
      const type = platforms[platform];
      const credentials = isObject(source['credentials']) ? source['credentials'] : {};
      const key = toText(textOf(credentials['api_key'])).trim();
      if (type === undefined || !withKey.has(kind) || key === '') {
        notes.add('account_without_key', `${named}: ${platform} ${kind}`);
        return null;
      }
      const given = textOf(credentials['base_url']).trim().replace(/\/+$/, '');
      const address = given.replace(/\/v1$/, '');
      if (address !== given) notes.add('url_shortened', named);
      const mapping = isObject(credentials['model_mapping']) ? credentials['model_mapping'] : {};
      const names = Object.entries(mapping).filter(([name]) => !name.includes('*'));
      if (names.length < Object.keys(mapping).length) notes.add('model_pattern_dropped', named);
      const models = [...names.map(([name]) => name), ...(site.usage.models.get(id) ?? [])];
      if (models.length === 0) notes.add('models_unknown', named);
      const others = names.filter(([name, to]) => typeof to === 'string' && to !== name);
      const proxy = site.proxies.get(Number(source['proxy_id'] ?? 0));
      return {
        row: {
          ...draft,
          type,
          key,
          base_url: address,
          openai_organization: '',
          test_model: '',
          max_input_tokens: 0,
          status: statusOf(String(draft['status']), source['schedulable'] !== false),
          weight: 0,
          priority: turned(Number(draft['priority'])),
          test_time: 0,
          response_time: 0,
          other: '',
          balance: 0,
          balance_updated_time: 0,
          models: [...new Set(models)].sort().join(','),
          group: (site.accountGroups.get(id) ?? ['default']).join(','),
          used_quota: site.usage.byAccount.get(id) ?? 0,
          model_mapping: others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others)),
          auto_ban: 1,
          other_info: '',
          tag: '',
          setting: proxy === undefined ? '' : JSON.stringify({ proxy }),
          param_override: '',
        },
      };
    };
  },
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function statusOf(status: string, isScheduled: boolean): number {
  if (status === 'error') return channelStatuses.autoDisabled;
  return status === 'active' && isScheduled ? channelStatuses.enabled : channelStatuses.disabled;
}
