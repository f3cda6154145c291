/** Chats of a server of OpenAI's API: forwarded, translated, or translated to its Responses. */
import type { ChatRequest, HostedTool } from '../../canonical/chat.ts';
import { failureInside, readFailure } from '../../canonical/kit/failure.ts';
import {
  fitToolNames,
  restoreNamesInReply,
  restoreNamesInStream,
} from '../../canonical/kit/tool-names.ts';
import { usageFromOpenAi } from '../../canonical/kit/usage.ts';
import type { BodyFields, PassThrough, ReplyReader } from '../../canonical/pass-through.ts';
import type { Call, OperationAdapter } from '../../canonical/provider.ts';
import { takesBreakpoints } from '../../canonical/wires/openai/cache-marks.ts';
import { takesTool as takesResponsesTool } from '../../canonical/wires/openai-responses/tools.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { readResponsesReply } from '../openai-responses/decode-reply.ts';
import { ResponsesStreamDecoder } from '../openai-responses/decode-stream.ts';
import { readChatReply } from './decode-chat.ts';
import { ChatStreamDecoder } from './decode-stream.ts';
import { takesTool as takesChatTool, writeChatBody } from './encode-chat.ts';
import { applyEdits, splitEffort } from './model-rules.ts';
import type { VendorRequests } from './requests.ts';
import {
  type ChatNeeds,
  chatsByResponses,
  forwardedHeaders,
  hasToolOfResponses,
  needsInBody,
  needsInRequest,
  withoutForeignReasoning,
  writeChatAsResponses,
} from './responses.ts';
import { needsTranslation, type OpenAiSettings } from './settings.ts';
import { byModel, type OpenAiCompatible, type OpenAiTask } from './vendor.ts';

/** Names of functions. */
const toolNames = { limit: 64 };

/** The fields a vendor takes, where it only takes those. */
function keepFields(body: JsonObject, kept: ReadonlySet<string> | undefined): JsonObject {
  return kept === undefined
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => kept.has(name)));
}

export function chatOperation(
  vendor: OpenAiCompatible,
  requests: VendorRequests,
): OperationAdapter<'chat', OpenAiSettings> {
  const readUsage = vendor.readUsage ?? usageFromOpenAi;
  const readError = (raw: unknown) => failureInside(raw, vendor.readFailure ?? readFailure);
  const also = new Set<OpenAiTask>(vendor.also);

  function byResponses({ settings, model }: Call<OpenAiSettings>, needs: () => ChatNeeds): boolean {
    if (!also.has('responses')) return false;
    return vendor.chatServesAll === true
      ? (settings?.use_responses ?? vendor.byResponses?.(model) === true)
      : chatsByResponses(settings, model, needs);
  }

  /** The same for a translated chat: tools that only Responses has lead there, too. */
  function requestByResponses(call: Call<OpenAiSettings>, request: ChatRequest | undefined) {
    if (byResponses(call, () => needsInRequest(request))) return true;
    return (
      also.has('responses') &&
      vendor.alwaysSearches !== true &&
      call.settings?.use_responses === undefined &&
      hasToolOfResponses(request, call.model)
    );
  }

  function takesTool(tool: HostedTool, request: ChatRequest, call: Call<OpenAiSettings>): boolean {
    if (requestByResponses(call, request)) return takesResponsesTool(tool);
    if (tool.type === 'web-search') {
      if (vendor.alwaysSearches === true) return true;
      if (vendor.chatFields?.has('web_search_options') === false) return false;
    }
    return takesChatTool(tool, request, call.model);
  }

  function mustTranslate(fields: BodyFields, call: Call<OpenAiSettings>): boolean {
    if (needsTranslation(call.settings) || byResponses(call, () => needsInBody(fields)))
      return true;
    return vendor.mustTranslate?.(fields, call) === true;
  }

  const replies: ReplyReader = {
    decode: (body) => readChatReply(body, readUsage, readError),
    createStreamDecoder: () => new ChatStreamDecoder(readUsage, readError),
  };

  const chatPassThrough: PassThrough<OpenAiSettings> = {
    format: 'openai-chat',
    target: (fields, call) =>
      mustTranslate(fields, call) ? undefined : requests.forward('chat', fields, call),
    rewrite: vendor.rewrite,
    thinking: (call) =>
      byModel(vendor.takesReasoning, false, call.model, call) ? replies : undefined,
  };

  /** Bodies of Responses callers, unless the channel says that its server has no Responses. */
  const responsesPassThrough = (
    format: WireFormat,
    task: 'responses' | 'responses-compact',
  ): PassThrough<OpenAiSettings> => ({
    format,
    target(fields, call) {
      if (call.settings?.use_responses === false) return undefined;
      const target = requests.forward(task, fields, call);
      const edits = { ...target.edits, ...withoutForeignReasoning(fields) };
      return { ...target, headers: { ...target.headers, ...forwardedHeaders(call) }, edits };
    },
  });

  function cacheMarksOf(call: Call<OpenAiSettings>): 'anthropic' | 'openai' | undefined {
    if (byModel(vendor.takesCacheControl, false, call.model, call)) return 'anthropic';
    return vendor.chatFields === undefined && takesBreakpoints(splitEffort(call.model).model)
      ? 'openai'
      : undefined;
  }

  function encodeChat(given: ChatRequest, call: Call<OpenAiSettings>) {
    const request = fitToolNames(given, toolNames);
    if (requestByResponses(call, given))
      return requests.post('responses', call, writeChatAsResponses(request, call.model));
    const body = writeChatBody(request, call.model, {
      reasoning: byModel(vendor.takesReasoning, false, call.model, call),
      reasoningDetails: vendor.reasoningDetails?.(call.model),
      answerImages: vendor.answerImages !== undefined,
      cacheMarks: cacheMarksOf(call),
      googleSignatures: call.model.includes('gemini'),
      developerRole: byModel(vendor.developerRole, true, call.model, call),
    });
    const extended = applyEdits(body, vendor.extend?.(request, call.model) ?? {});
    const sent = requests.post('chat', call, extended);
    return { ...sent, body: keepFields(sent.body as JsonObject, vendor.chatFields) };
  }

  return {
    passThrough: [
      ...(vendor.chatFields === undefined ? [chatPassThrough] : []),
      ...(also.has('responses') ? [responsesPassThrough('openai-responses', 'responses')] : []),
      ...(also.has('responses-compact')
        ? [responsesPassThrough('openai-responses-compact', 'responses-compact')]
        : []),
      ...(vendor.passThrough ?? []),
    ],
    needsInlineImages: vendor.needsInlineImages,
    streamOnly: vendor.streamOnly,
    takesTool,
    encode: encodeChat,
    decode(body, call, request) {
      const read = requestByResponses(call, request)
        ? readResponsesReply(body)
        : replies.decode(body);
      return restoreNamesInReply(read, request, toolNames);
    },
    framing: 'sse',
    createStreamDecoder(call, request) {
      const read = requestByResponses(call, request)
        ? new ResponsesStreamDecoder()
        : replies.createStreamDecoder();
      return restoreNamesInStream(read, request, toolNames);
    },
  };
}
