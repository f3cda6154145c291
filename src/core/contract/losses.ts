import { z } from '../kernel/zod.ts';
import { channelMarks } from '../vocabulary/loss-kinds.ts';
import { endpoint, nothing } from './endpoint.ts';
import { sentOption } from './option.ts';

const loss = z.object({
  /** `unpriced`: models without a price, which cannot be called. */
  kind: z.enum(channelMarks),
  /** 0: no channel's. */
  channel: z.number().int(),
  name: z.string(),
  /** Empty: the whole channel's. */
  model: z.string(),
  /** Unix seconds; 0: not recorded. */
  since: z.number().int(),
  /** In the language of the call. */
  text: z.string(),
});
export type LossEntity = z.infer<typeof loss>;

export const priceBelowCost = z.object({
  model: z.string(),
  channel: z.number().int(),
  name: z.string(),
  /** `input`, `output`, `cache_read`, `cache_write`, `audio_input`, `audio_output` or `call`. */
  kind: z.string(),
  /** Currency units per million tokens or per call, in the channel's cheapest group. */
  price: z.number(),
  cost: z.number(),
});
export type PriceBelowCostEntity = z.infer<typeof priceBelowCost>;

/** Where a site loses money (docs/rules/losses.md). */
export const lossesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/losses',
    access: 'admin',
    input: nothing,
    output: z.array(loss),
    summary: 'Where the site loses money now',
  }),
  belowCost: endpoint({
    method: 'POST',
    path: '/api/turnpike/losses/below_cost',
    access: 'root',
    bodyLimit: 4 * 1024 * 1024,
    input: z.object({ values: z.array(sentOption).max(200).default([]) }),
    output: z.array(priceBelowCost),
    summary:
      'Prices below their cost that these options would add, or without options all; changes nothing',
  }),
};
