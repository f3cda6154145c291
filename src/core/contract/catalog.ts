import { z } from 'zod';
import { playgroundKinds } from '../vocabulary/model-square.ts';
import { endpoint, nothing } from './endpoint.ts';

/** A model and its price (docs/rules/pricing.md#pricing-page). */
export const pricingRow = z.object({
  model_name: z.string(),
  /** 0: per token, by the ratios; 1: `model_price` units per call. */
  quota_type: z.number().int(),
  model_ratio: z.number(),
  model_price: z.number(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  cache_creation_ratio: z.number(),
  image_ratio: z.number(),
  /** Absent: audio costs what text costs. */
  audio_ratio: z.number().optional(),
  audio_completion_ratio: z.number(),
  /** What is priced besides (docs/rules/pricing.md#price-details). Absent: nothing. */
  details: z
    .object({
      /** The longest prompts first; factors of all of the request. */
      steps: z.array(z.object({ above: z.number().int(), input: z.number(), output: z.number() })),
      /** By tier, speed or place. */
      factors: z.record(z.string(), z.number()),
      /** Of cache writes of the longer life over those of the usual one. */
      long_cache_write_ratio: z.number().optional(),
      /** Of cached audio over audio input; absent: it costs what cached text costs. */
      cached_audio_ratio: z.number().optional(),
      /** Of thinking over input; absent: it costs what output costs. */
      thinking_ratio: z.number().optional(),
      /** Currency units per call of a tool that the vendor runs. */
      tools: z.record(z.string(), z.number()),
    })
    .optional(),
  owner_by: z.string(),
  enable_groups: z.array(z.string()),
  /** The day (UTC) on which the last channel loses it, and what its vendor recommends then. */
  ends: z.string().optional(),
  successor: z.string().optional(),
  /** The playground in which it can be tried; absent: none. */
  playground: z.enum(playgroundKinds).optional(),
  /** No price is set. The ratio shown applies if the site's settings allow unpriced models. */
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
      /** Group → description, for the groups that the caller may use. */
      usable_group: z.record(z.string(), z.string()),
    }),
    summary: 'Models that the channels can serve now, with prices and groups',
  }),
  unpriced: endpoint({
    method: 'POST',
    path: '/api/turnpike/unpriced_models',
    access: 'admin',
    input: z.object({ models: z.array(z.string()).max(10_000) }),
    output: z.array(z.string()),
    summary: 'Those of some models that have no price, and so cannot be called',
  }),
};
