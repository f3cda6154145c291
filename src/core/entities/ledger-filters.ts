import { ledgerKinds } from '../vocabulary/ledger-kinds.ts';
import { defineFilters } from './filters.ts';

/** The filters of the postings (docs/rules/ledger.md). */
export const ledgerFilters = defineFilters({
  userId: {
    kind: 'id',
    names: 'user',
    wire: 'user_id',
    optional: true,
    for: 'admins',
    label: { en: 'user', zh: '用户' },
  },
  kind: {
    kind: 'text',
    wire: 'kind',
    choices: ledgerKinds,
    only: true,
    label: { en: 'kind', zh: '类别' },
  },
  time: {
    kind: 'time',
    wire: ['start_timestamp', 'end_timestamp'],
    column: 'created_at',
    label: { en: 'time', zh: '时间' },
  },
});
