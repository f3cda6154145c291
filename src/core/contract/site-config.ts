/**
 * What `turnpike config apply` changes, in one call
 * (docs/rules/command-line.md#configuration-check).
 */

import { budgetFields } from '../entities/budget.ts';
import { channelFields } from '../entities/channel.ts';
import { z } from '../kernel/zod.ts';
import { endpoint, id } from './endpoint.ts';
import { entityEditSchema } from './entity-schema.ts';
import { modelEntry } from './model-square.ts';
import { belowCostAgreed } from './option.ts';

/** Changes of one kind in one call. */
const most = 10_000;

/**
 * Without an id a channel is added. `name` is the name that the caller saw, `seen` has the values of
 * the fields that it changes: they show what changed meanwhile. `label` is what problems call it;
 * absent: its name.
 */
const channelChange = entityEditSchema(channelFields).extend({
  id: id.optional(),
  name: z.string(),
  seen: z.record(z.string(), z.unknown()).optional(),
  label: z.string().optional(),
  status: z.number().int().optional(),
  remove: z.boolean().default(false),
});
/** `seen`: as of channels; the stored price per call is `stored_model_price`. */
const modelChange = modelEntry.extend({
  model: z.string(),
  seen: z.record(z.string(), z.unknown()).optional(),
  action: z.enum(['add', 'change', 'remove']),
});
/** As of channels. */
const budgetChange = entityEditSchema(budgetFields).extend({
  id: id.optional(),
  name: z.string(),
  seen: z.record(z.string(), z.unknown()).optional(),
  label: z.string().optional(),
  remove: z.boolean().default(false),
});

const problem = z.object({
  section: z.enum(['options', 'channels', 'models', 'budgets']),
  /** The key of the option, the label of the channel or budget, the model; '': the options as a whole. */
  label: z.string(),
  /** The field that is refused; '' where the rule is about the whole. */
  field: z.string(),
  code: z.string(),
  message: z.string(),
});

export const siteConfigApi = {
  apply: endpoint({
    method: 'POST',
    path: '/api/turnpike/config',
    access: 'root',
    bodyLimit: 16 * 1024 * 1024,
    input: z.object({
      /** Only checks. */
      dry_run: z.boolean().default(false),
      below_cost: belowCostAgreed,
      options: z
        .array(
          z.object({
            key: z.string(),
            value: z.string(),
            /** The value that the caller saw; another one by now is refused. */
            seen: z.string().optional(),
          }),
        )
        .max(most)
        .default([]),
      option_resets: z
        .array(z.union([z.string(), z.object({ key: z.string(), seen: z.string() })]))
        .max(most)
        .default([]),
      channels: z.array(channelChange).max(most).default([]),
      models: z.array(modelChange).max(most).default([]),
      budgets: z.array(budgetChange).max(most).default([]),
    }),
    /** `written` counts the changes that are stored; with problems of the check none is. */
    output: z.object({ problems: z.array(problem), written: z.number().int() }),
    summary:
      'Check changes of options, channels, the model list and budgets, all problems at once, and write them',
  }),
};
