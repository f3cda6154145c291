import { factsOf } from '../../models/known-models.ts';
import {
  dropFields,
  type EditFields,
  editEffort,
  renameLimit,
} from '../openai-compatible/model-rules.ts';
import { fitToolSchemas } from './tool-schemas.ts';

/**
 * Differences of Kimi's models from OpenAI's (docs/rules/providers.md#moonshot): they refuse any
 * value but their default of some fields, and use it without them. The older `moonshot-v1-*` accept
 * OpenAI's fields.
 */
export const editForMoonshot: EditFields = (field, model) => {
  const { drops = [], takes = {} } = factsOf(model);
  const tools = fitToolSchemas(field('tools'), 'function');
  const required = takes.forced_tools === false && field('tool_choice') === 'required';
  return {
    model,
    edits: {
      ...dropFields(field, drops),
      ...(takes.max_completion_tokens === true ? renameLimit(field) : {}),
      ...editEffort(field, model),
      ...(required ? { tool_choice: 'auto' } : {}),
      ...(tools && { tools }),
    },
  };
};
