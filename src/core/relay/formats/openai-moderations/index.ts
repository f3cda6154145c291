/** Moderations travel untouched: every provider that has them speaks OpenAI's form (spec, providers-international 3.1). */
import { AppError } from '../../../kernel/errors.ts';
import type { CallRules } from '../shared/call-format.ts';

export const openAiModerations: CallRules = {
  format: 'openai-moderations',
  defaultModel: 'text-moderation-stable',
  check(body) {
    const kind = body.kind('input');
    if (kind !== 'string' && kind !== 'array') throw new AppError('invalid_text_request', { detail: 'field input is required' });
  },
};
