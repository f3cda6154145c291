/** Type 25, Kimi (docs/rules/providers.md#moonshot). */

import type { PassThrough } from '../../canonical/pass-through.ts';
import type { Provider } from '../../canonical/provider.ts';
import { factsOf } from '../../models/known-models.ts';
import { forwardMessages } from '../anthropic-messages/forward.ts';
import { askEffort, keepCacheKey } from '../openai-compatible/encode-chat.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { readBalance } from './balance.ts';
import { editForMoonshot } from './edit-chat.ts';
import { readMoonshotFailure } from './failure.ts';
import { moonshotPlans, moonshotRoots } from './roots.ts';
import { fitToolSchemas } from './tool-schemas.ts';

const messages = forwardMessages((call) => moonshotRoots(call).anthropic);

const messagesPassThrough: PassThrough<OpenAiSettings> = {
  ...messages,
  target(fields, call) {
    const target = messages.target(fields, call);
    if (target === undefined) return undefined;
    const tools = fitToolSchemas(fields.get('tools'), 'input_schema');
    return tools === undefined ? target : { ...target, edits: { ...target.edits, tools } };
  },
};

export const moonshot: Provider<OpenAiSettings> = {
  ...openaiCompatible({
    slug: 'moonshot',
    channelTypes: [25],
    defaultBaseUrl: 'https://api.moonshot.cn',
    measuresUsage: true,
    models: [],
    without: ['completion', 'embedding'],
    address: (task, call) =>
      moonshotRoots(call).openAi + (task === 'models' ? '/models' : '/chat/completions'),
    edit: editForMoonshot,
    extend: (request, model) => ({ ...askEffort(request, model), ...keepCacheKey(request) }),
    takesReasoning: (model) => factsOf(model).takes?.thinking_returned === true,
    developerRole: false,
    passThrough: [messagesPassThrough],
    readFailure: readMoonshotFailure,
    readBalance,
  }),
  planNames: moonshotPlans,
  // Its thinking is returned as text; no account is known to refuse another's.
  sharedSignatures: ['anthropic-messages'],
};
