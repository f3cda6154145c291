import { findBadAddress } from '../../tokens/address-list.ts';
import { tokenStatuses } from '../../vocabulary/statuses.ts';
import { toText, toTrimmed } from '../convert.ts';
import type { DraftRow, TableMapping } from './mapping.ts';

export const tokensMapping: TableMapping = {
  source: 'tokens',
  target: 'tokens',
  columns: {
    id: { as: 'integer' },
    user_id: { as: 'integer' },
    key: { as: 'trimmed' },
    status: { as: 'int32', missing: tokenStatuses.enabled },
    name: { as: 'trimmed' },
    created_time: { as: 'integer' },
    accessed_time: { as: 'integer' },
    expired_time: { as: 'integer', missing: -1 },
    remain_quota: { as: 'integer' },
    unlimited_quota: { as: 'flag' },
    model_limits_enabled: { as: 'flag' },
    model_limits: { as: 'trimmed' },
    allow_ips: { as: 'text' },
    used_quota: { as: 'integer' },
    group: { as: 'trimmed' },
    deleted_at: { as: 'deleted' },
  },
  alsoRead: ['models', 'subnet', 'auto_groups', 'cross_group_retry'],
  same: ['key'],
  figures: ['remain_quota', 'used_quota'],
  user: 'user_id',
  refine({ family, hasUser, autoGroups }, notes) {
    const keys = new Set<string>();
    return (draft, source) => {
      const named = `${draft['id']} ${draft['name']}`;
      const key = String(draft['key']).replace(/^sk-/, '');
      if (key === '') {
        notes.add('key_missing', named);
        return null;
      }
      if (keys.has(key)) {
        notes.add('duplicate_key', named);
        return null;
      }
      keys.add(key);
      if (!hasUser(Number(draft['user_id']))) notes.add('owner_missing', named);
      const row: DraftRow = { ...draft, key };
      if (family === 'oneapi') {
        const models = toTrimmed(source['models']);
        row['model_limits'] = models;
        row['model_limits_enabled'] = models === '' ? 0 : 1;
        row['allow_ips'] = toText(source['subnet']).replaceAll(',', '\n');
      }
      if (row['group'] === 'auto') {
        row['group'] = autoGroups[0] ?? '';
        notes.add('group_auto', named);
      }
      // New API ignores spaces and commas inside a line.
      const lines = String(row['allow_ips'])
        .split('\n')
        .map((line) => line.replace(/[\s,]/g, ''))
        .filter((line) => line !== '');
      row['allow_ips'] = lines.join('\n');
      if (findBadAddress(lines.join('\n')) !== undefined) {
        if (row['status'] === tokenStatuses.enabled) row['status'] = tokenStatuses.disabled;
        notes.add('bad_address_disabled', `${named}: ${findBadAddress(lines.join('\n'))}`);
      }
      // New API compared addresses as texts, so that a range allowed nobody.
      const range = family === 'newapi' ? lines.find((line) => line.includes('/')) : undefined;
      if (range !== undefined) notes.add('range_now_allowed', `${named}: ${range}`);
      return { row };
    };
  },
};
