import { z } from '../kernel/zod.ts';
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
  /** The same by the name that New API gives it. Absent with a price per call. */
  create_cache_ratio: z.number().optional(),
  image_ratio: z.number(),
  /** Absent: audio costs what text costs. */
  audio_ratio: z.number().optional(),
  audio_completion_ratio: z.number(),
  /** What is priced besides (docs/rules/pricing.md#price-details). Absent: nothing. */
  details: z
    .object({
      /** The longest prompts first; factors of all of the request. */
      steps: z.array(
        z.object({
          above: z.number().int(),
          input: z.number(),
          output: z.number(),
          /** Absent: that of input. */
          cache_read: z.number().optional(),
          cache_write: z.number().optional(),
        }),
      ),
      /** By tier, speed or place. */
      factors: z.record(z.string(), z.number()),
      /** Of cache reads and writes in such a tier, where they are others. */
      cache_factors: z
        .record(z.string(), z.object({ read: z.number().optional(), write: z.number().optional() }))
        .optional(),
      /** In UTC; outside of them the factor `offpeak` holds. Days from 0 (Sunday), minutes of the day. */
      peak_hours: z
        .array(
          z.object({
            days: z.array(z.number().int()),
            from: z.number().int(),
            to: z.number().int(),
          }),
        )
        .optional(),
      /** Of cache writes of the longer life over those of the usual one. */
      long_cache_write_ratio: z.number().optional(),
      /** Of cached audio over audio input; absent: it costs what cached text costs. */
      cached_audio_ratio: z.number().optional(),
      cached_image_ratio: z.number().optional(),
      /** Of thinking over input; absent: it costs what output costs. */
      thinking_ratio: z.number().optional(),
      /** Of text beside images over output, which is the images; absent: all costs the same. */
      text_output_ratio: z.number().optional(),
      /** Currency units per call of a tool that the vendor runs. */
      tools: z.record(z.string(), z.number()),
    })
    .optional(),
  /**
   * Resolution → ratio: `model_price` is for one second of video, times this; of resolutions that are
   * not named `*`, else 1. Absent: it is for one video.
   */
  video_ratios: z.record(z.string(), z.number()).optional(),
  /** Size, with the quality behind a space → factor of the price of an image. Absent: all cost the same. */
  image_factors: z.record(z.string(), z.number()).optional(),
  owner_by: z.string(),
  enable_groups: z.array(z.string()),
  /** The day (UTC) on which the last channel loses it, and what its vendor recommends then. */
  ends: z.string().optional(),
  successor: z.string().optional(),
  /** What it costs from a day (UTC) on; absent: no change is known, or its price is the site's own. */
  next_price: z
    .object({ from: z.string(), model_ratio: z.number(), completion_ratio: z.number() })
    .optional(),
  /** The playground in which it can be tried; absent: none. */
  playground: z.enum(playgroundKinds).optional(),
  /** It takes images to be edited; absent: no channel of it does. */
  edits_images: z.boolean().optional(),
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
