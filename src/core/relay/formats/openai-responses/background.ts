/** A response that is worked on in the background (docs/rules/responses.md#background). */
import { recordOf, textOf } from '../../../canonical/kit/read-json.ts';
import { type JsonObject, parseObject } from '../../../kernel/json.ts';
import type { BodyEdits, RequestBody } from '../../body/request-body.ts';
import type { WireError } from '../families/api-family.ts';
import { failedResponse } from './object.ts';

/** The body as it is sent upstream: a stream, of a response that is kept here. */
export const backgroundEdits: BodyEdits = { background: undefined, stream: true, store: false };

/** What the object says of the request, and where it says nothing. */
const repeated: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  service_tier: 'auto',
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
};

/** The object before any channel was tried. `created`: Unix seconds. */
export function queuedResponse(
  id: string,
  {
    body,
    model,
    created,
    conversationId,
  }: { body: RequestBody; model: string; created: number; conversationId: string | undefined },
): JsonObject {
  return {
    id,
    object: 'response',
    created_at: created,
    status: 'queued',
    background: true,
    conversation: conversationId === undefined ? null : { id: conversationId },
    error: null,
    incomplete_details: null,
    model,
    output: [],
    store: true,
    usage: null,
    ...Object.fromEntries(
      Object.entries(repeated).map(([name, value]) => [name, body.get(name) ?? value]),
    ),
  };
}

/** What became of a background response, as its stream says. */
export type BackgroundStep =
  | { readonly kind: 'begun' }
  | { readonly kind: 'event'; readonly type: string; readonly fields: JsonObject }
  | { readonly kind: 'ended'; readonly response: JsonObject }
  | { readonly kind: 'refused'; readonly error: WireError };

const greetings: ReadonlySet<unknown> = new Set([
  'response.created',
  'response.in_progress',
  'response.queued',
]);
const endings: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
]);

/** An event of the stream that works on the response `head`, or the error that refused it. */
export function readStep(frame: string, head: JsonObject): BackgroundStep {
  const { type, sequence_number: _, ...fields } = (parseObject(frame) ?? {}) as JsonObject;
  if (greetings.has(type)) return { kind: 'begun' };
  if (endings.has(type)) {
    const response = recordOf(fields['response']) as JsonObject | undefined;
    return { kind: 'ended', response: ownResponse(response ?? {}, head) };
  }
  if (type !== 'error') return { kind: 'event', type: String(type), fields };
  const error = recordOf(fields['error']) ?? fields;
  return {
    kind: 'refused',
    error: {
      status: Number(fields['status'] ?? 500),
      message: textOf(error['message']) ?? '',
      code: textOf(error['code']),
      type: undefined,
      param: undefined,
    },
  };
}

/** The upstream's response under the id of ours; it knows nothing of the background. */
function ownResponse(response: JsonObject, head: JsonObject): JsonObject {
  const { id, object, created_at, background, store, previous_response_id, conversation } = head;
  const own = { id, object, created_at, background, store, previous_response_id, conversation };
  return { ...head, ...response, ...(own as JsonObject) };
}

/** The error of a response whose gateway stopped, in OpenAI's words for failures of a server. */
const lost: WireError = {
  status: 500,
  code: 'server_error',
  message: 'The server stopped while it worked on this response. Please send it again.',
  type: undefined,
  param: undefined,
};

export function lostResponse(response: JsonObject): JsonObject {
  return failedResponse(response, lost);
}
