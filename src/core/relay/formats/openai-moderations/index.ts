/**
 * OpenAI moderations. Every provider that has them speaks this format, so they are always passed
 * through.
 */
import { AppError } from '../../../kernel/errors.ts';
import { openAiFamily } from '../families/openai.ts';
import { callForward } from '../shared/call-forward.ts';
import { type PassThroughFormat, topLevelLimits } from '../shared/caller-format.ts';
import { countableField } from '../shared/countable-field.ts';
import { measureInput } from '../shared/measure.ts';

export const openAiModerations: PassThroughFormat = {
  kind: 'pass-through',
  name: 'openai-moderations',
  family: openAiFamily,
  operation: 'moderation',
  routes: { paths: ['/v1/moderations'] },
  defaultModel: 'omni-moderation-latest',
  invalidRequest: 'invalid_request',
  check(body) {
    const kind = body.kind('input');
    if (kind !== 'string' && kind !== 'array')
      throw new AppError('invalid_text_request', { detail: 'field input is required' });
  },
  streams: () => false,
  ...topLevelLimits,
  promptFields: ['input'],
  countableInput: countableField('input'),
  measure: (body, model) => ({ ...measureInput(body, model), freeUnpriced: true }),
  forward: callForward({ answerField: 'results' }),
};
