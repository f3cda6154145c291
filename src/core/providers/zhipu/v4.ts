/**
 * Type 26, v4 (docs/rules/providers.md#zhipu-v4): OpenAI's wire with other limits, Anthropic's
 * messages as they are.
 */

import type { Provider } from '../../canonical/provider.ts';
import { factsOf } from '../../models/known-models.ts';
import { forwardMessages } from '../anthropic-messages/forward.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { readZhipuFailure } from './failure.ts';
import { glmModels } from './models.ts';
import { zhipuPlans, zhipuRoots } from './roots.ts';
import { editForV4, thinks, writeThinking } from './v4-body.ts';
import { embedding, image } from './v4-calls.ts';

/**
 * Chats are always translated: finish reasons have names of their own, and one of them is an error.
 */
export const zhipu4v: Provider<OpenAiSettings> = {
  ...openaiCompatible({
    slug: 'zhipu-4v',
    serves: ['zhipu'],
    channelTypes: [26],
    defaultBaseUrl: 'https://open.bigmodel.cn',
    measuresUsage: true,
    keyFormat: { example: 'id.secret' },
    models: glmModels,
    without: ['completion', 'models'],
    address: (_task, call) => `${zhipuRoots(call).openAi}/chat/completions`,
    mustTranslate: () => true,
    edit: editForV4,
    extend: writeThinking,
    takesReasoning: thinks,
    streamOptions: false,
    streamOnly: (model) => factsOf(model).takes?.whole_replies === false,
    developerRole: false,
    passThrough: [forwardMessages((call) => zhipuRoots(call).anthropic)],
    operations: { image, embedding },
    endUser: {
      field: 'user_id',
      source: 'https://docs.bigmodel.cn/cn/guide/platform/securityaudit',
      read: '2026-11-28',
    },
    readFailure: readZhipuFailure,
  }),
  planNames: zhipuPlans,
};
