import { dropFields, type EditFields, renameLimit } from '../openai-compatible/model-rules.ts';

/** Kimi's models answer any value but their own with an error; without the field they take their own. */
const fixed = ['temperature', 'top_p', 'n', 'presence_penalty', 'frequency_penalty'];

/** What Kimi's models change (docs/rules/providers.md#moonshot). The older `moonshot-v1-*` take OpenAI's fields. */
export const editForMoonshot: EditFields = (field, model) => {
  if (!model.startsWith('kimi-')) return { model, edits: {} };
  const choice = field('tool_choice') === 'required' ? { tool_choice: 'auto' } : {};
  return { model, edits: { ...dropFields(field, fixed), ...renameLimit(field), ...choice } };
};
