import { tokenStatuses } from '../../vocabulary/statuses.ts';
import { moneyToQuota, toInteger, toTrimmed } from '../convert.ts';
import type { DraftRow, TableMapping } from '../mapping/mapping.ts';
import { tokensMapping } from '../mapping/tokens.ts';
import type { SourceValue } from '../source/source.ts';
import { allSpans, type KeyLimit, type OldSite } from './old-site.ts';

const statuses: Readonly<Record<string, number>> = {
  active: tokenStatuses.enabled,
  quota_exhausted: tokenStatuses.exhausted,
  expired: tokenStatuses.expired,
};

const periods = { rate_limit_5h: '5h', rate_limit_1d: 'day', rate_limit_7d: 'week' } as const;

const textsOf = (value: SourceValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];

export const keysFrom = (site: OldSite): TableMapping => ({
  ...tokensMapping,
  source: 'api_keys',
  columns: {
    id: { as: 'integer' },
    user_id: { as: 'integer' },
    key: { as: 'trimmed' },
    status: { as: 'trimmed' },
    name: { as: 'trimmed' },
    created_time: { from: 'created_at', as: 'instant' },
    accessed_time: { from: 'last_used_at', as: 'instant' },
    expired_time: { from: 'expires_at', as: 'instant' },
    remain_quota: { from: 'quota', as: 'money' },
    used_quota: { from: 'quota_used', as: 'money' },
    deleted_at: { as: 'deleted' },
  },
  alsoRead: [
    'group_id',
    'ip_whitelist',
    'ip_blacklist',
    'updated_at',
    ...Object.keys(periods),
    'usage_5h',
    'usage_1d',
    'usage_7d',
    'window_5h_start',
    'window_1d_start',
    'window_7d_start',
  ],
  figures: ['used_quota'],
  refine(context, notes) {
    const finish = tokensMapping.refine?.(context, notes);
    return (draft, source) => {
      const id = Number(draft['id']);
      const user = Number(draft['user_id']);
      const named = `${id} ${draft['name']}`;
      const limit = Number(draft['remain_quota']);
      const used = Number(draft['used_quota']) || (site.usage.byKey.get(id) ?? 0);
      const group = site.groups.get(toInteger(source['group_id']));
      const row: DraftRow = {
        ...draft,
        status: statuses[String(draft['status'])] ?? tokenStatuses.disabled,
        expired_time: Number(draft['expired_time']) || -1,
        unlimited_quota: limit === 0 ? 1 : 0,
        remain_quota: limit === 0 ? 0 : Math.max(0, limit - used),
        used_quota: used,
        model_limits_enabled: 0,
        model_limits: '',
        allow_ips: textsOf(source['ip_whitelist']).join('\n'),
        group: group?.name ?? '',
      };
      const limitTo = (period: KeyLimit['period'], quota: bigint) => {
        site.keyLimits.push({ tokenId: id, period, amount: toInteger(quota) });
        notes.add('limit_becomes_budget', `${named}: ${period}`);
      };
      const disable = () => {
        if (row['status'] === tokenStatuses.enabled) row['status'] = tokenStatuses.disabled;
      };
      if (textsOf(source['ip_blacklist']).length > 0) {
        disable();
        notes.add('blocked_addresses_disabled', named);
      }
      if (row['deleted_at'] === null && group !== undefined) {
        if (!group.isOpen && group.name !== site.homes.get(user)) notes.add('group_closed', named);
        if (group.isSubscription) {
          const subscription = site.subscriptions.find(
            (one) => one.userId === user && one.group === group && one.isActive,
          );
          const ends = subscription?.endsAt ?? 0;
          if (subscription === undefined) {
            disable();
            notes.add('subscription_missing_disabled', named);
          } else if (row['expired_time'] === -1 || ends < Number(row['expired_time']))
            row['expired_time'] = ends;
          for (const span of allSpans) {
            const amount = group.limits[span];
            if (amount !== undefined) limitTo(span, amount);
          }
        }
      }
      for (const [column, period] of Object.entries(periods)) {
        const { quota } = moneyToQuota(source[column], context.quotaPerUnit);
        if (quota > 0n) limitTo(period, quota);
      }
      site.keyNames.set(id, toTrimmed(source['name']));
      return finish?.(row, source) ?? null;
    };
  },
});
