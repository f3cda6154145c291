import { z } from '../kernel/zod.ts';
import { endpoint, nothing } from './endpoint.ts';

export const channelTypesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/channel/types',
    access: 'admin',
    input: nothing,
    output: z.array(
      z.object({
        type: z.number().int(),
        slug: z.string(),
        name: z.string(),
        /** False: the type is known, but its provider is not implemented. */
        available: z.boolean(),
        operations: z.array(z.string()),
        default_base_url: z.string().nullable(),
        /** The base URL is a complete endpoint address. */
        complete_url: z.boolean(),
        /** The base URL may end in `/v1`: no second one is added. */
        takes_v1: z.boolean(),
        /** Plan names that can be entered instead of a base URL. */
        plan_words: z.array(z.string()),
        key_example: z.string(),
        key_optional: z.boolean(),
        /** The key is a JSON document, which is not split into lines. */
        key_json: z.boolean(),
        other_label: z.string(),
        other_required: z.boolean(),
        /** Fields of `setting` specific to this type. */
        settings: z.array(
          z.object({
            name: z.string(),
            kind: z.enum(['flag', 'text']),
            choices: z.array(z.string()),
          }),
        ),
        lists_models: z.boolean(),
        reads_balance: z.boolean(),
        models: z.array(z.string()),
      }),
    ),
    summary: 'Channel types and the operations their providers support',
  }),
  modelEnds: endpoint({
    method: 'POST',
    path: '/api/turnpike/channel/model_ends',
    access: 'admin',
    input: z.object({
      type: z.number().int(),
      models: z.array(z.string()).max(10_000),
      /** As the channel has it; what is no JSON object of texts counts as empty. */
      model_mapping: z.string().default(''),
    }),
    output: z.array(
      z.object({
        model: z.string(),
        /** The first day without it, UTC: `2026-11-30`. */
        ends: z.string(),
        /** Empty: none is known. */
        successor: z.string(),
      }),
    ),
    summary: 'Those of a channel’s models that have ended or will within 30 days',
  }),
};
