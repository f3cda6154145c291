/** Type 25, Kimi (spec, providers-china 6.2). */
import { anthropicHeaders } from '../anthropic/request.ts';
import { clientQuery } from '../kit/request-target.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import { needsTranslation, type OpenAiSettings } from '../openai-compatible/settings.ts';
import type { PassThrough, Provider } from '../provider.ts';
import { readBalance } from './balance.ts';
import { editForMoonshot } from './edit-chat.ts';
import { readMoonshotFailure } from './failure.ts';
import { moonshotPlans, moonshotRoots } from './roots.ts';

/** Coding agents' own bodies. The key goes in either header: documents of the two platforms name different ones. */
const messages: PassThrough<OpenAiSettings> = {
  format: 'anthropic-messages',
  target(fields, call) {
    if (needsTranslation(call.settings)) return undefined;
    const headers = anthropicHeaders(call, fields.get('stream') === true);
    return {
      url: `${moonshotRoots(call).anthropic}/v1/messages${clientQuery(call)}`,
      headers: { ...headers, authorization: `Bearer ${call.key.reveal()}` },
    };
  },
};

export const moonshot: Provider<OpenAiSettings> = {
  ...openaiCompatible({
    slug: 'moonshot',
    channelTypes: [25],
    defaultBaseUrl: 'https://api.moonshot.cn',
    models: ['kimi-k2.6', 'kimi-k3', 'moonshot-v1-8k', 'moonshot-v1-32k', 'moonshot-v1-128k'],
    without: ['completion', 'embedding'],
    address: (task, call) => moonshotRoots(call).openAi + (task === 'models' ? '/models' : '/chat/completions'),
    edit: editForMoonshot,
    takesReasoning: (model) => model.startsWith('kimi-'),
    developerRole: false,
    passThrough: [messages],
    readFailure: readMoonshotFailure,
    readBalance,
  }),
  planWords: moonshotPlans,
};
