/** Type 43 (docs/rules/providers.md#deepseek). */

import type { ChatRequest } from '../../canonical/chat.ts';
import { amountOf, getJson } from '../../canonical/kit/account.ts';
import { recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import { effortOf } from '../../canonical/kit/reasoning.ts';
import { bareBase } from '../../canonical/kit/request-target.ts';
import type { BodyFields } from '../../canonical/pass-through.ts';
import type { Balance, Call, Effects, Provider } from '../../canonical/provider.ts';
import { z } from '../../kernel/zod.ts';
import { forwardMessages } from '../anthropic-messages/forward.ts';
import { askEffort } from '../openai-compatible/encode-chat.ts';
import { bearerHeaders, openAiAddress, openaiCompatible } from '../openai-compatible/index.ts';
import type { FieldEdits } from '../openai-compatible/model-rules.ts';
import { type OpenAiSettings, openAiSettings } from '../openai-compatible/settings.ts';
import { chatAddress, type DeepSeekSettings, editForDeepSeek } from './edit-chat.ts';
import { rewrite } from './rewrite.ts';

const settings = openAiSettings.extend({
  /**
   * The server is of the R1 generation, which refuses earlier thinking; later ones need it back
   * within a turn with tools.
   */
  drop_reasoning_content: z.boolean().optional(),
});

function takesReasoning(_model: string, { settings: given }: Call<DeepSeekSettings>): boolean {
  return given?.drop_reasoning_content !== true;
}

function mustTranslate(fields: BodyFields, call: Call<DeepSeekSettings>): boolean {
  return !takesReasoning(call.model, call) && fields.contains?.('"reasoning_content"') === true;
}

/** Thinking is on or off; newer models take an effort, too. */
function writeThinking(request: ChatRequest, model: string): FieldEdits {
  const { reasoning, origin } = request;
  const requested = reasoning?.adaptive === true ? 'medium' : effortOf(reasoning);
  if (origin === 'openai-chat' || requested === undefined) return {};
  return {
    thinking: { type: requested === 'none' ? 'disabled' : 'enabled' },
    ...askEffort(request, model),
  };
}

async function readBalance(call: Call, effects: Effects): Promise<Balance> {
  const body = recordOf(
    await getJson(effects, `${bareBase(call.baseUrl)}/user/balance`, bearerHeaders(call)),
  );
  const accounts = recordsOf(body?.balance_infos);
  const account = accounts.find((entry) => entry.currency === 'CNY') ?? accounts[0];
  return { amount: amountOf(account?.total_balance), currency: textOf(account?.currency) ?? 'CNY' };
}

export const deepseek: Provider<OpenAiSettings> = {
  ...openaiCompatible({
    slug: 'deepseek',
    channelTypes: [43],
    defaultBaseUrl: 'https://api.deepseek.com',
    measuresUsage: true,
    settings,
    models: [],
    without: ['embedding'],
    address: (task, call) =>
      task === 'completion'
        ? `${bareBase(call.baseUrl)}/beta/completions`
        : openAiAddress(task, call),
    chatAddress,
    edit: editForDeepSeek,
    extend: writeThinking,
    developerRole: false,
    takesReasoning,
    mustTranslate,
    rewrite,
    passThrough: [forwardMessages((call) => `${bareBase(call.baseUrl)}/anthropic`)],
    readBalance,
  }),
  // Its thinking is returned as text; no account is known to refuse another's.
  sharedSignatures: ['anthropic-messages'],
};
