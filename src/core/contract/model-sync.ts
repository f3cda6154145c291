import { z } from '../kernel/zod.ts';
import { endpoint } from './endpoint.ts';

const fields = z.record(z.string(), z.unknown());

const modelChange = z.object({
  model: z.string(),
  vendor: z.string(),
  /** `gone`: its vendor's own list no longer has it. */
  kind: z.enum(['new', 'price', 'end', 'facts', 'gone']),
  /** What was known before, by the names of the catalogue's fields; prices per million tokens. */
  from: fields,
  to: fields,
  /** The list that says so. */
  source: z.string(),
  adopted: z.boolean(),
});

/** Looks for new models, prices and ends (docs/rules/models.md#sync). */
export const modelSyncApi = {
  run: endpoint({
    method: 'POST',
    path: '/api/turnpike/models/sync',
    access: 'root',
    input: z.object({
      /** Which lists are read; `given`: the one in `list`. */
      source: z.enum(['all', 'channels', 'address', 'given']).default('all'),
      list: z
        .object({
          /** Where it comes from, such as the name of a file. */
          name: z.string().min(1).max(200),
          /** It is in this program's own format: its facts replace others. */
          own: z.boolean(),
          models: z.array(fields).max(20_000),
          rules: z.array(fields).max(2000),
        })
        .optional(),
      /** New models, limits and ends are adopted; else they are only reported. */
      adopt: z.boolean().default(false),
      /** Models whose changed price is adopted. */
      prices: z.array(z.string().max(500)).max(20_000).default([]),
      /** Every changed price is. */
      all_prices: z.boolean().default(false),
    }),
    output: z.object({
      sources: z.array(
        z.object({
          name: z.string(),
          models: z.number().int(),
          /** Empty: it was read. */
          error: z.string(),
        }),
      ),
      changes: z.array(modelChange),
    }),
    summary: 'Look for new models, changed prices and ends, and adopt them',
  }),
};
