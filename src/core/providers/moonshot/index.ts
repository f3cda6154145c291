/** Type 25, Kimi (docs/rules/providers.md#moonshot). */

import type { Provider } from '../../canonical/provider.ts';
import { factsOf } from '../../models/known-models.ts';
import { forwardMessages } from '../anthropic-messages/forward.ts';
import { askEffort } from '../openai-compatible/encode-chat.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { readBalance } from './balance.ts';
import { editForMoonshot } from './edit-chat.ts';
import { readMoonshotFailure } from './failure.ts';
import { moonshotPlans, moonshotRoots } from './roots.ts';

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
    extend: askEffort,
    takesReasoning: (model) => factsOf(model).takes?.thinking_returned === true,
    developerRole: false,
    passThrough: [forwardMessages((call) => moonshotRoots(call).anthropic)],
    readFailure: readMoonshotFailure,
    readBalance,
  }),
  planNames: moonshotPlans,
  // Its thinking is returned as text; no account is known to refuse another's.
  sharedSignatures: ['anthropic-messages'],
};
