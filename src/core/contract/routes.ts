import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const routesApi = {
  explain: endpoint({
    method: 'GET',
    path: '/api/turnpike/route/explain',
    access: 'admin',
    input: z.object({ model: z.string(), group: z.string().default('default') }),
    output: z.object({
      model: z.string(),
      group: z.string(),
      tiers: z.array(
        z.object({
          priority: z.number().int(),
          channels: z.array(
            z.object({
              id: z.number().int(),
              name: z.string(),
              type: z.number().int(),
              weight: z.number().int(),
              /** Chance to be drawn first in this tier, 0–1, as things stand; 0 for those passed over. */
              share: z.number(),
              upstream_model: z.string(),
              /** Of its circuit breaker. */
              state: z.enum(['closed', 'open', 'half_open']),
              /** Seconds until the open circuit lets a request through; 0: now. */
              retry_in: z.number().int(),
              /** Seconds it rests for this model after its upstream had too many requests; 0: it does not. */
              cooling_for: z.number().int(),
              /** Keys it has, and those of them that are switched off. */
              keys: z.number().int(),
              keys_off: z.number().int(),
              /** Why it would be passed over now: `breaker`, `cool_down`, or an error code; empty when it would not. */
              skipped: z.string(),
            }),
          ),
        }),
      ),
    }),
    summary: 'Which channels a request would try, in which order and why',
  }),
};
