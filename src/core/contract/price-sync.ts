import { z } from '../kernel/zod.ts';
import { endpoint, quotaField } from './endpoint.ts';
import { priceBelowCost } from './losses.ts';
import { belowCostAgreed } from './option.ts';

const source = {
  /** `catalogue`, `litellm`, `models.dev`, `openrouter`, or an http(s) address of a list or gateway. */
  source: z.string().trim().min(1).max(2000),
  /** The list itself, where it is a file. */
  text: z.string().optional(),
  /** Times the price of the source. */
  margin: z.number().positive().max(1000).default(1),
};

const impact = z.object({
  requests: z.number().int(),
  paid: quotaField,
  would_pay: quotaField,
});

const change = z.object({
  /**
   * `input`, `output`, `cache_read`, `cache_write`, `long_cache_write`, `image_input`, `audio_input`,
   * `audio_output`, `cached_audio`, `cached_image`, `thinking`, `text_output`, `call`;
   * `input_above_200000`, `input_priority`, `tool_web_search`.
   */
  kind: z.string(),
  /** Currency units per million tokens or per call; null: there is none. */
  site: z.number().nullable(),
  source: z.number().nullable(),
});

const model = impact.extend({
  model: z.string(),
  changes: z.array(change),
  /** Of what was seen, for `apply`; '' there for a model of `same`. */
  version: z.string(),
});
const skipped = z.object({
  model: z.string(),
  /**
   * `request`: the price depends on the request or the hour. `steps`: kinds of tokens become dearer by
   * different factors. `kinds`: it prices what has no price of its own here. `text`: it is unknown.
   * `limits`: it is higher or lower than a price can be.
   */
  reason: z.enum(['request', 'steps', 'kinds', 'text', 'limits']),
});

export type PricedModelEntity = z.infer<typeof model>;

/** Prices that stay right (docs/rules/pricing.md#price-sources). */
export const priceSyncApi = {
  preview: endpoint({
    method: 'POST',
    path: '/api/turnpike/prices/preview',
    access: 'root',
    bodyLimit: 32 * 1024 * 1024,
    input: z.object({
      ...source,
      /** Every model with a price, not only what channels offer. */
      all: z.boolean().default(false),
      /** Of the usage that is priced anew; 0: none. */
      days: z.number().int().min(0).max(90).default(7),
    }),
    output: z.object({
      found: z.number().int(),
      models: z.array(model),
      /** Models that have the price of the source already: they can follow it. */
      same: z.array(z.string()),
      /** Prices that would be below their cost, and are not now. */
      below_cost: z.array(priceBelowCost),
      users: z.array(impact.extend({ user_id: z.number().int(), username: z.string() })),
      /** Of which the source has a price that cannot be read (docs/rules/pricing.md#price-expressions). */
      skipped: z.array(skipped),
      /** Older usage was left out, because there is too much. */
      partial: z.boolean(),
    }),
    summary: 'What prices would become by a source, and who would have paid what; saves nothing',
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/turnpike/prices/apply',
    access: 'root',
    bodyLimit: 32 * 1024 * 1024,
    input: z.object({
      ...source,
      models: z
        .array(z.object({ model: z.string(), version: z.string() }))
        .min(1)
        .max(10_000),
      /** `save`: follow the source daily; `tell`: tell differences daily. */
      follow: z.enum(['no', 'tell', 'save']).default('no'),
      below_cost: belowCostAgreed,
    }),
    output: z.undefined(),
    summary: 'Save prices of a source that were seen',
  }),
};
