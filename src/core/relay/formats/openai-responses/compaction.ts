/**
 * The compaction of a conversation by providers that have no call for it
 * (docs/rules/responses.md#compaction): the model writes a summary, which stands in the place of
 * the vendor's encrypted content.
 */
import type { ChatMessage, ChatRequest } from '../../../canonical/chat.ts';
import type { ChatReply } from '../../../canonical/chat-reply.ts';
import { listOf, recordOf, textOf } from '../../../canonical/kit/read-json.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import type { BodyEdits, RequestBody } from '../../body/request-body.ts';
import type { ReplyContext } from '../shared/chat-translation.ts';
import { writeResponsesUsage } from './object.ts';
import { readResponsesRequest } from './request.ts';

/** Begins the encrypted content of a compaction that was made here. */
const mark = 'turnpike-summary:';

const instruction =
  'Summarize the conversation below, so that an assistant who has not read it can go on with it. ' +
  "Keep the user's goals and wishes, decisions and their reasons, facts, names, numbers, paths, " +
  'code and results of tools that are still needed, what is done and what remains to be done. ' +
  'Do not answer the conversation. Write only the summary.';
const heading = 'Summary of the conversation so far:';

/** The user's messages, which the reply repeats: no provider reads the field. */
const repeated = 'compacted';

/** Throws AppError as {@link readResponsesRequest}. */
export function readCompactRequest(body: JsonObject): ChatRequest {
  const { model, messages, user, serviceTier } = readResponsesRequest(body);
  const transcript = messages.map(writeMessage).filter((text) => text !== '');
  return {
    model,
    messages: [
      { role: 'system', content: [{ type: 'text', text: instruction }] },
      { role: 'user', content: [{ type: 'text', text: transcript.join('\n\n') }] },
    ],
    stream: false,
    user,
    serviceTier,
    origin: 'openai-responses-compact',
    extra: { [repeated]: userMessages(body['input']) },
  };
}

/** A message as a paragraph of the transcript. */
function writeMessage(message: ChatMessage): string {
  const texts: string[] = [];
  for (const part of message.content) {
    if (part.type === 'text' || part.type === 'refusal') texts.push(part.text);
    else if (part.type === 'tool-call') texts.push(`(calls ${part.name} with ${part.arguments})`);
    else if (part.type !== 'reasoning') texts.push(`(${part.type})`);
  }
  const text = texts.join('\n');
  return text === '' ? '' : `[${message.role}]\n${text}`;
}

function userMessages(input: JsonValue | undefined): readonly JsonValue[] {
  if (typeof input === 'string')
    return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }];
  return (listOf(input) as readonly JsonValue[]).filter(
    (item) =>
      isObject(item) && item['role'] === 'user' && (item['type'] ?? 'message') === 'message',
  );
}

export function writeCompaction(reply: ChatReply, context: ReplyContext): JsonObject {
  const { id, created, request } = context;
  const parts = reply.choices[0]?.content ?? [];
  const summary = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const kept = listOf(request?.extra[repeated]).filter(isObject) as readonly JsonObject[];
  return {
    id: `resp_${id}`,
    object: 'response.compaction',
    created_at: created,
    output: [
      ...kept.map((item, index) => ({
        ...item,
        id: textOf(item['id']) ?? `msg_${id}${index}`,
        type: 'message',
        status: 'completed',
      })),
      {
        id: `cmp_${id}`,
        type: 'compaction',
        encrypted_content: mark + Buffer.from(summary).toString('base64'),
      },
    ],
    usage: writeResponsesUsage(reply.usage ?? {}),
  };
}

/**
 * Edits that write compactions made here as messages, for all upstreams; undefined: the body has
 * none.
 */
export function expandCompactions(body: RequestBody): BodyEdits | undefined {
  if (body.contains?.(mark) === false) return undefined;
  const input = body.get('input');
  if (!Array.isArray(input)) return undefined;
  const items = (input as readonly JsonValue[]).map((item) => expanded(item) ?? item);
  return items.some((item, index) => item !== input[index]) ? { input: items } : undefined;
}

function expanded(item: JsonValue): JsonValue | undefined {
  const { type, encrypted_content: content } = recordOf(item) ?? {};
  if (type !== 'compaction' || typeof content !== 'string' || !content.startsWith(mark))
    return undefined;
  const summary = Buffer.from(content.slice(mark.length), 'base64').toString('utf8');
  const text = `${heading}\n${summary}`;
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}
