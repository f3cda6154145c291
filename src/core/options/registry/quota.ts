import { maxAmount } from '../../kernel/quota.ts';
import { booleanOption, decimalOption, integerOption } from '../define.ts';

const quota = { panel: 'operation.quota', bounds: { min: 0, max: maxAmount } } as const;
const general = { panel: 'operation.general' } as const;

/** Initial, held and displayed quota (docs/rules/pricing.md#units). */
export const quotaOptions = {
  /**
   * A change revalues every balance, so it needs a second confirmation and is recorded in the audit
   * log.
   */
  QuotaPerUnit: decimalOption({
    ...general,
    default: 500_000,
    bounds: { above: 0, max: 1_000_000_000 },
    status: 'quota_per_unit',
  }),
  DisplayInCurrencyEnabled: booleanOption({
    ...general,
    default: true,
    status: 'display_in_currency',
  }),
  DisplayTokenStatEnabled: booleanOption({ ...general, default: true }),
  QuotaForNewUser: integerOption({ ...quota, default: 0 }),
  QuotaForInviter: integerOption({ ...quota, default: 0 }),
  QuotaForInvitee: integerOption({ ...quota, default: 0 }),
  QuotaRemindThreshold: integerOption({ ...quota, default: 1000 }),
  /** The fewest tokens that a hold covers (docs/rules/ledger.md#least-hold). */
  PreConsumedQuota: integerOption({ ...quota, default: 500 }),
};
