import { booleanOption, integerOption } from '../define.ts';

const requests = { panel: 'ratelimit.requests' } as const;

/** Requests per user (spec, relay 4). */
export const limitOptions = {
  ModelRequestRateLimitEnabled: booleanOption({ ...requests, default: false }),
  ModelRequestRateLimitDurationMinutes: integerOption({ ...requests, default: 1, bounds: { min: 0 } }),
  /** All requests, failed ones too; 0: no limit. */
  ModelRequestRateLimitCount: integerOption({ ...requests, default: 0, bounds: { min: 0 } }),
  ModelRequestRateLimitSuccessCount: integerOption({ ...requests, default: 1000, bounds: { min: 1 } }),
};
