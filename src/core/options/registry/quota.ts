import { booleanOption, decimalOption, integerOption } from '../define.ts';

const quota = { panel: 'operation.quota', bounds: { min: 0 } } as const;
const general = { panel: 'operation.general' } as const;

/** Quota given, held and shown (spec, billing 1 and 10). */
export const quotaOptions = {
  /** Changing it revalues every balance: asked twice and written to the audit log. */
  QuotaPerUnit: decimalOption({ ...general, default: 500_000, bounds: { above: 0 }, status: 'quota_per_unit' }),
  DisplayInCurrencyEnabled: booleanOption({ ...general, default: true, status: 'display_in_currency' }),
  DisplayTokenStatEnabled: booleanOption({ ...general, default: true }),
  QuotaForNewUser: integerOption({ ...quota, default: 0 }),
  QuotaForInviter: integerOption({ ...quota, default: 0 }),
  QuotaForInvitee: integerOption({ ...quota, default: 0 }),
  QuotaRemindThreshold: integerOption({ ...quota, default: 1000, built: false }),
  /** Prompt tokens that a hold covers at least. */
  PreConsumedQuota: integerOption({ ...quota, default: 500, built: false }),
};
