import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';

/** A model and what it costs (docs/rules/pricing.md#pricing-page). */
const pricingRow = z.object({
  model_name: z.string(),
  /** 0: by tokens, at the ratios; 1: `model_price` units per call. */
  quota_type: z.number().int(),
  model_ratio: z.number(),
  model_price: z.number(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  owner_by: z.string(),
  enable_groups: z.array(z.string()),
  /** Nobody set a price: only shown, at the ratio that the site's settings may allow it for. */
  unpriced: z.boolean(),
});
export type PricingRow = z.infer<typeof pricingRow>;

export const catalogApi = {
  pricing: endpoint({
    method: 'GET',
    path: '/api/pricing',
    access: 'visitor',
    shape: 'flat',
    input: nothing,
    output: z.object({
      data: z.array(pricingRow),
      group_ratio: z.record(z.string(), z.number()),
      /** Group → description, those the caller may use. */
      usable_group: z.record(z.string(), z.string()),
    }),
    summary: 'Models that some enabled channel serves, with prices and groups',
  }),
};
