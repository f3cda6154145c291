/** Replies of all wires from one description, as each vendor reports what it bills. */
import type { ServerResponse } from 'node:http';
import { messageItem, responsesReply } from './responses-upstream.ts';
import { type Answer, type ReceivedRequest, sendJson } from './upstream.ts';

type Members = Readonly<Record<string, unknown>>;

/** Tokens of prompt and output in all, and what else a vendor says, in its own members. */
export interface VendorReply {
  readonly prompt: number;
  readonly output: number;
  readonly cached?: number;
  /** Cache writes in all, and those of the longer life among them. */
  readonly written?: number;
  readonly long?: number;
  /** Those of the output that were thinking. */
  readonly thought?: number;
  /** Beside the usage: `service_tier`, `tool_usage`, `container`; of Gemini the candidate's. */
  readonly reply?: Members;
  /** A function that chat completions call, instead of an answer. */
  readonly call?: { readonly name: string; readonly arguments: string };
  /** In the usage: `speed`, `trafficType`, `iterations`. */
  readonly usage?: Members;
}

/** The same reply in the form of the wire that the path belongs to, plain or streamed. */
export function vendorReply(said: VendorReply): Answer {
  return (response, request) => {
    if (request.path.includes('/responses')) return sendResponses(said, response, request);
    if (request.path.includes('/messages')) return sendMessage(said, response, request);
    if (request.path.includes('enerateContent')) return sendGenerated(said, response, request);
    return sendChat(said, response, request);
  };
}

function events(response: ServerResponse, list: readonly object[], end = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of list) {
    const { type } = event as { readonly type?: string };
    const name = type === undefined ? '' : `event: ${type}\n`;
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(end);
}

function details({ cached = 0, written, long }: VendorReply) {
  return {
    cached_tokens: cached,
    ...(written === undefined ? {} : { cache_write_tokens: written }),
    ...(long === undefined || written === undefined
      ? {}
      : {
          cache_write_tokens_details: { ttl_30m_tokens: written - long, ttl_12h_tokens: long },
        }),
  };
}

function functionCall(call: NonNullable<VendorReply['call']>) {
  return { index: 0, id: 'call_1', type: 'function', function: call };
}

function sendChat(said: VendorReply, response: ServerResponse, { json }: ReceivedRequest): void {
  const { prompt, output } = said;
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: details(said),
    ...(said.thought === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: said.thought } }),
    ...said.usage,
  };
  const head = { id: 'chatcmpl-1', created: 1_790_000_000, model: json['model'], ...said.reply };
  if (json['stream'] !== true)
    return sendJson(response, 200, {
      ...head,
      object: 'chat.completion',
      choices: [
        said.call === undefined
          ? { index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }
          : {
              index: 0,
              message: { role: 'assistant', tool_calls: [functionCall(said.call)] },
              finish_reason: 'tool_calls',
            },
      ],
      usage,
    });
  const chunk = { ...head, object: 'chat.completion.chunk' };
  const choice = { index: 0, finish_reason: null };
  const { call } = said;
  const deltas =
    call === undefined
      ? [{ role: 'assistant', content: 'ok' }]
      : [
          { role: 'assistant', tool_calls: [functionCall({ ...call, arguments: '' })] },
          { tool_calls: [{ index: 0, function: { arguments: call.arguments } }] },
        ];
  const finish = call === undefined ? 'stop' : 'tool_calls';
  events(
    response,
    [
      ...deltas.map((delta) => ({ ...chunk, choices: [{ ...choice, delta }] })),
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finish }] },
      { ...chunk, choices: [], usage },
    ],
    'data: [DONE]\n\n',
  );
}

function sendResponses(
  said: VendorReply,
  response: ServerResponse,
  request: ReceivedRequest,
): void {
  const { output = [], ...changes } = (said.reply ?? {}) as { output?: Record<string, unknown>[] };
  const usage = {
    input_tokens: said.prompt,
    input_tokens_details: details(said),
    output_tokens: said.output,
    output_tokens_details: { reasoning_tokens: said.thought ?? 0 },
    total_tokens: said.prompt + said.output,
    ...said.usage,
  };
  void responsesReply([...output, messageItem('ok')], { changes: { ...changes, usage } })(
    response,
    request,
  );
}

function sendMessage(
  { prompt, output, cached = 0, written = 0, long = 0, usage: more, reply }: VendorReply,
  response: ServerResponse,
  { json }: ReceivedRequest,
): void {
  const usage = {
    input_tokens: prompt - cached - written,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    cache_creation: {
      ephemeral_5m_input_tokens: written - long,
      ephemeral_1h_input_tokens: long,
    },
    output_tokens: output,
    ...more,
  };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: json['model'] };
  const ending = { stop_reason: 'end_turn', stop_sequence: null };
  if (json['stream'] !== true)
    return sendJson(response, 200, {
      ...message,
      content: [{ type: 'text', text: 'ok' }],
      ...ending,
      ...reply,
      usage,
    });
  const { input_tokens, cache_creation, ...counts } = usage;
  const opening = { input_tokens, cache_creation, ...counts, ...more, output_tokens: 1 };
  events(response, [
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: opening },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { ...ending, ...reply },
      usage: { output_tokens: output, ...more },
    },
    { type: 'message_stop' },
  ]);
}

function sendGenerated(
  { prompt, output, cached = 0, thought = 0, reply, usage }: VendorReply,
  response: ServerResponse,
  { path }: ReceivedRequest,
): void {
  const usageMetadata = {
    promptTokenCount: prompt,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - thought,
    ...(thought > 0 ? { thoughtsTokenCount: thought } : {}),
    totalTokenCount: prompt + output,
    ...usage,
  };
  const candidate = { content: { role: 'model', parts: [{ text: 'ok' }] }, index: 0 };
  const whole = {
    candidates: [{ ...candidate, ...reply, finishReason: 'STOP' }],
    modelVersion: 'gemini',
    usageMetadata,
  };
  if (!path.includes(':stream')) return sendJson(response, 200, whole);
  events(response, [{ candidates: [candidate], modelVersion: 'gemini', usageMetadata }, whole]);
}
