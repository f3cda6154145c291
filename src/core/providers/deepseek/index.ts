/** Type 43 (spec, providers-international 3.17). */
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { anthropicHeaders } from '../anthropic/request.ts';
import { getJson } from '../kit/account.ts';
import { listOf, recordOf, recordsOf, textOf } from '../kit/read-json.ts';
import { bareBase, clientQuery } from '../kit/request-target.ts';
import { bearerHeaders, openAiAddress, openaiCompatible } from '../openai-compatible/index.ts';
import type { EditFields } from '../openai-compatible/model-rules.ts';
import { needsTranslation } from '../openai-compatible/settings.ts';
import type { Balance, Call, Effects } from '../provider.ts';

const samplingOfReasoner = ['logprobs', 'top_logprobs'];

/** DeepSeek knows `json_object` only, and wants the word JSON in the prompt: a schema goes there as text. */
const editForDeepSeek: EditFields = (field, model) => {
  const edits: Record<string, JsonValue | undefined> = {};
  if (model.includes('reasoner')) for (const name of samplingOfReasoner) if (field(name) !== undefined) edits[name] = undefined;
  const format = field('response_format');
  if (isObject(format) && format.type === 'json_schema') {
    const messages = field('messages');
    const schema = recordOf(format.json_schema)?.schema ?? {};
    const note = { role: 'system', content: `Answer with JSON that follows this JSON schema:\n${JSON.stringify(schema)}` };
    edits.response_format = { type: 'json_object' };
    edits.messages = [note, ...(listOf(messages) as JsonValue[])];
  }
  return { model, edits };
};

async function readBalance(call: Call, effects: Effects): Promise<Balance> {
  const body = recordOf(await getJson(effects, `${bareBase(call.baseUrl)}/user/balance`, bearerHeaders(call)));
  const accounts = recordsOf(body?.balance_infos);
  const account = accounts.find((entry) => entry.currency === 'CNY') ?? accounts[0];
  const amount = textOf(account?.total_balance);
  if (amount === undefined) throw new AppError('bad_response_body', { detail: 'no balance in it' });
  return { amount, currency: textOf(account?.currency) ?? 'CNY' };
}

export const deepseek = openaiCompatible({
  slug: 'deepseek',
  channelTypes: [43],
  defaultBaseUrl: 'https://api.deepseek.com',
  models: ['deepseek-chat', 'deepseek-reasoner'],
  without: ['embedding'],
  address: (task, call) => (task === 'completion' ? `${bareBase(call.baseUrl)}/beta/completions` : openAiAddress(task, call)),
  edit: editForDeepSeek,
  developerRole: false,
  // R1-generation names refuse earlier thinking; later ones need it back within a turn that calls tools.
  takesReasoning: (model) => !model.includes('reasoner'),
  passThrough: [
    {
      format: 'anthropic-messages',
      target: (fields, call) => {
        if (needsTranslation(call.settings)) return undefined;
        const headers = anthropicHeaders(call, fields.get('stream') === true);
        return { url: `${bareBase(call.baseUrl)}/anthropic/v1/messages${clientQuery(call)}`, headers };
      },
    },
  ],
  readBalance,
});
