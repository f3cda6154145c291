import { booleanOption, integerOption } from '../define.ts';

const requests = { panel: 'ratelimit.requests' } as const;

/** Request limits per user (docs/rules/relay.md#rate-limit). */
export const limitOptions = {
  ModelRequestRateLimitEnabled: booleanOption({ ...requests, default: false }),
  ModelRequestRateLimitDurationMinutes: integerOption({
    ...requests,
    default: 1,
    bounds: { min: 0 },
  }),
  /** All requests, including failed ones; 0: no limit. */
  ModelRequestRateLimitCount: integerOption({ ...requests, default: 0, bounds: { min: 0 } }),
  ModelRequestRateLimitSuccessCount: integerOption({
    ...requests,
    default: 1000,
    bounds: { min: 1 },
  }),
};
