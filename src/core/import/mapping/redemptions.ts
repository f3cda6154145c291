import type { TableMapping } from './mapping.ts';

export const redemptionsMapping: TableMapping = {
  source: 'redemptions',
  target: 'redemptions',
  columns: {
    id: { as: 'integer' },
    user_id: { as: 'integer' },
    key: { as: 'trimmed' },
    status: { as: 'int32', missing: 1 },
    name: { as: 'trimmed' },
    quota: { as: 'integer' },
    created_time: { as: 'integer' },
    redeemed_time: { as: 'integer' },
    used_user_id: { as: 'integer' },
    expired_time: { as: 'integer' },
    deleted_at: { as: 'deleted' },
  },
  alsoRead: [],
  same: ['key'],
  figures: ['quota'],
  refine(_context, notes) {
    const keys = new Set<string>();
    return (draft) => {
      const key = String(draft['key']);
      const named = `${draft['id']} ${draft['name']}`;
      if (key === '' || keys.has(key)) {
        notes.add(key === '' ? 'key_missing' : 'duplicate_key', named);
        return null;
      }
      keys.add(key);
      return { row: draft };
    };
  },
};
