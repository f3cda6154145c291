import { redemptionStates } from '../vocabulary/redemption-state.ts';
import { defineFilters } from './filters.ts';

/** The filters of redemption codes (docs/rules/payments.md#redemption-codes). */
export const redemptionFilters = defineFilters({
  /** The start of the name, the id, or a whole code. */
  keyword: {
    kind: 'text',
    wire: 'keyword',
    url: 'q',
    trim: true,
    own: true,
    label: { en: 'ID, name or code', zh: '编号、名称或兑换码' },
    help: { en: 'Id, start of the name, or a whole code', zh: '编号、名称开头或完整的兑换码' },
  },
  /** What people see: codes expire without a change of their row. */
  status: {
    kind: 'code',
    wire: 'state',
    optional: true,
    choices: redemptionStates,
    only: true,
    own: true,
    label: { en: 'status', zh: '状态' },
  },
});
