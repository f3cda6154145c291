/** Type 14, Anthropic's own API (spec, providers-international 3.6). */
import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { getJson, namesIn } from '../kit/account.ts';
import { readFailure } from '../kit/failure.ts';
import { foreignSignature, stripForeignThinking } from '../kit/foreign-signature.ts';
import { countOf, recordOf, textOf } from '../kit/read-json.ts';
import { clientQuery, joinVersioned } from '../kit/request-target.ts';
import { fitToolNames, restoreNamesInReply, restoreNamesInStream } from '../kit/tool-names.ts';
import type { BodyFields, Call, Effects, PassThrough, Provider, Target } from '../provider.ts';
import { readMessageReply } from './decode-chat.ts';
import { MessageStreamDecoder } from './decode-stream.ts';
import { answersByTool, writeMessagesBody } from './encode-chat.ts';
import { decidesItself, defaultMaxTokens, splitSuffix } from './model-rules.ts';
import { claudeModels } from './models.ts';
import { anthropicHeaders } from './request.ts';
import { adapterThinking } from './thinking.ts';

/** Changes a caller's own messages body needs: the limit it must name, and what a suffix of the model asks for. */
function editMessages(fields: BodyFields, call: Call): { readonly model: string; readonly edits: NonNullable<Target['edits']> } {
  const { model, thinking, effort } = splitSuffix(call.model, call.options);
  const edits: Record<string, JsonValue | undefined> = {};
  const given = countOf(fields.get('max_tokens'));
  const maxTokens = given || defaultMaxTokens(model, call.options);
  if (maxTokens !== given) edits.max_tokens = maxTokens;
  const own = (fields.get('thinking') ?? null) !== null;
  if (thinking && !own) {
    const decided = adapterThinking(model, maxTokens, call.options.claudeThinkingBudgetShare);
    edits.thinking = decided.thinking;
    edits.max_tokens = decided.maxTokens;
    edits.top_p = undefined;
    edits.temperature = decidesItself(model) ? undefined : 1;
  }
  if (effort !== undefined) {
    if (!own) edits.thinking = { type: 'adaptive' };
    const config = fields.get('output_config');
    edits.output_config = { ...(isObject(config) ? (config as Record<string, JsonValue>) : {}), effort };
  }
  if (fields.contains?.(foreignSignature) === true) edits.messages = stripForeignThinking(fields.get('messages'));
  return { model, edits };
}

/** Characters a function's name may have. */
const maxToolName = 128;

const passThrough: PassThrough<unknown> = {
  format: 'anthropic-messages',
  target(fields, call) {
    const { model, edits } = editMessages(fields, call);
    return {
      url: joinVersioned(call.baseUrl, '/v1/messages') + clientQuery(call),
      headers: anthropicHeaders(call, fields.get('stream') === true, textOf(fields.get('model'))),
      edits,
      model: model === call.model ? undefined : model,
    };
  },
};

/** Pages of at most 1,000 names; the number of pages is capped against an upstream that never ends. */
async function listModels(call: Call, effects: Effects): Promise<string[]> {
  const names: string[] = [];
  let after = '';
  for (let page = 0; page < 20; page++) {
    const url = `${joinVersioned(call.baseUrl, '/v1/models')}?limit=1000${after}`;
    const body = recordOf(await getJson(effects, url, anthropicHeaders(call, false)));
    names.push(...namesIn(body?.data, 'id'));
    const last = textOf(body?.last_id);
    if (body?.has_more !== true || last === undefined) break;
    after = `&after_id=${encodeURIComponent(last)}`;
  }
  return names;
}

export const anthropic: Provider = {
  slug: 'anthropic',
  channelTypes: [14],
  defaultBaseUrl: 'https://api.anthropic.com',
  keyFormat: { example: 'sk-ant-…' },
  settings: z.object({}),
  models: claudeModels,
  operations: {
    chat: {
      passThrough: [passThrough],
      encode: (request, call) => ({
        method: 'POST',
        url: joinVersioned(call.baseUrl, '/v1/messages'),
        headers: anthropicHeaders(call, request.stream, request.model),
        body: writeMessagesBody(fitToolNames(request, maxToolName), call),
      }),
      decode: (body, call, request) =>
        restoreNamesInReply(readMessageReply(body, answersByTool(request, call)), request, maxToolName),
      framing: 'sse',
      createStreamDecoder: (call, request) =>
        restoreNamesInStream(new MessageStreamDecoder(answersByTool(request, call)), request, maxToolName),
    },
    countTokens: {
      encode(body, call) {
        const { max_tokens: _limit, stream: _stream, ...rest } = isObject(body) ? (body as Record<string, JsonValue>) : {};
        return {
          method: 'POST',
          url: joinVersioned(call.baseUrl, '/v1/messages/count_tokens') + clientQuery(call),
          headers: anthropicHeaders(call, false, textOf(rest.model)),
          body: { ...rest, model: splitSuffix(call.model, call.options).model },
        };
      },
      decode(body) {
        const count = countOf(recordOf(body)?.input_tokens);
        if (count === undefined) throw new AppError('bad_response_body', { detail: 'no count in it' });
        return count;
      },
    },
  },
  account: { listModels },
  readFailure,
};
