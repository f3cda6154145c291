import { z } from '../kernel/zod.ts';
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
              /**
               * Current probability to be drawn first in this tier, 0–1; 0 if the channel is
               * skipped.
               */
              share: z.number(),
              upstream_model: z.string(),
              /** State of its circuit breaker. */
              state: z.enum(['closed', 'open', 'half_open']),
              /** Seconds until the open circuit lets a request through; 0: now. */
              retry_in: z.number().int(),
              /**
               * Remaining cool-down for this model in seconds, after its upstream reported too many
               * requests; 0: none.
               */
              cooling_for: z.number().int(),
              /** The number of its keys, and of those that are disabled. */
              keys: z.number().int(),
              keys_off: z.number().int(),
              /**
               * Why the channel would be skipped now: `breaker`, `cool_down`, or an error code;
               * empty: it would not.
               */
              skipped: z.string(),
            }),
          ),
        }),
      ),
    }),
    summary: 'Which channels a request would try, in which order and why',
  }),
};
