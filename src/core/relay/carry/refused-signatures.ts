/**
 * Proofs of thinking are bound to whoever made them (spec, agent-clients 1.8), and nothing in them tells who that was. They are
 * sent as they came; an upstream that refuses them, because the conversation came from another account or another vendor, is
 * asked once more without.
 */

import type { ProviderError } from '../../canonical/chat.ts';
import { missingSignature } from '../../canonical/models/gemini.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { isList } from '../../upstream/rules/json-path.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { readBody } from '../body/body-fields.ts';
import type { BodyEdits, RequestBody } from '../body/request-body.ts';
import type { RelayJob } from '../job.ts';

/** Takes the proofs out of one object, as deep as they stand; undefined: the object goes with them. */
type Strip = (value: JsonObject) => JsonObject | undefined;

/** A list with its objects stripped; the same list where there was nothing to strip. */
function strip(list: JsonValue | undefined, each: Strip): JsonValue | undefined {
  if (!isList(list)) return list;
  const stripped = list.map((item) => (isObject(item) ? each(item as JsonObject) : item));
  if (stripped.every((item, position) => item === list[position])) return list;
  return stripped.filter((item) => item !== undefined);
}

/** The object with one of its lists stripped; none where nothing of the list is left. */
function inside(value: JsonObject, name: string, each: Strip): JsonObject | undefined {
  const before = value[name];
  const after = strip(before, each);
  if (after === before || after === undefined) return value;
  return isList(after) && after.length === 0 ? undefined : { ...value, [name]: after };
}

const thinkingBlocks: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

/** Claude insists on the thinking before the calls it waits for: without it, it is not to think until they are answered. */
function isAmidCalls(messages: JsonValue | undefined): boolean {
  const last = isList(messages) ? messages.at(-1) : undefined;
  const content = isObject(last) ? (last as JsonObject).content : undefined;
  return isList(content) && content.some((block) => isObject(block) && block.type === 'tool_result');
}

function withoutThinking(body: RequestBody): BodyEdits {
  const messages = body.get('messages');
  const stripped = strip(messages, (message) =>
    inside(message, 'content', (block) => (thinkingBlocks.has(block.type) ? undefined : block)),
  );
  const thinking = body.get('thinking');
  const stops = isObject(thinking) && thinking['type'] === 'enabled' && isAmidCalls(messages);
  return {
    ...(stripped === messages ? {} : { messages: stripped }),
    // What is to be forgotten of thinking is refused where there is none.
    ...(stops ? { thinking: undefined, context_management: undefined } : {}),
  };
}

/** Ids of other items refer to the reasoning they came with. */
function withoutReasoning(body: RequestBody): BodyEdits {
  const input = body.get('input');
  const isProven = (item: JsonValue) => isObject(item) && item.type === 'reasoning' && typeof item.encrypted_content === 'string';
  if (!isList(input) || !input.some(isProven)) return {};
  return { input: strip(input, ({ id: _, ...item }) => (isProven(item) ? undefined : item)) };
}

/** The word for a call without a proof stands at each: where none is wanted it is passed over. */
function withoutThoughtSignatures(body: RequestBody): BodyEdits {
  const contents = body.get('contents');
  const stripped = strip(contents, (content) =>
    inside(content, 'parts', (part) => {
      const { thoughtSignature, thought_signature, ...rest } = part;
      const isCall = part.functionCall !== undefined || part.function_call !== undefined;
      if (isCall) return thoughtSignature === missingSignature ? part : { ...rest, thoughtSignature: missingSignature };
      return thoughtSignature === undefined && thought_signature === undefined ? part : rest;
    }),
  );
  return stripped === contents ? {} : { contents: stripped };
}

/** Where chat has a place for them: beside calls and texts (Gemini), beside the answer (OpenRouter). */
function withoutExtras(body: RequestBody): BodyEdits {
  const messages = body.get('messages');
  const stripped = strip(messages, (message) => {
    const { reasoning_details: details, extra_content: own, ...rest } = message;
    const plain = details === undefined && own === undefined ? message : rest;
    return inside(plain, 'tool_calls', (call) => {
      const { extra_content: extra, ...bare } = call;
      return extra === undefined ? call : bare;
    });
  });
  return stripped === messages ? {} : { messages: stripped };
}

interface SignatureRules {
  /** How an upstream says that it does not take them. */
  readonly refusal: RegExp;
  without(body: RequestBody): BodyEdits;
}

const signatures = /signature/i;
const reasoning: SignatureRules = { refusal: /encrypted[ _]content/i, without: withoutReasoning };

const signatureRules: Readonly<Partial<Record<WireFormat, SignatureRules>>> = {
  'anthropic-messages': { refusal: /signature|thinking`? block|reasoning content/i, without: withoutThinking },
  'openai-responses': reasoning,
  'openai-responses-compact': reasoning,
  'gemini-generate': { refusal: signatures, without: withoutThoughtSignatures },
  'openai-chat': { refusal: signatures, without: withoutExtras },
};

/** The job without the proofs that the upstream refused; undefined: its error is about something else, or there are none. */
export function withoutRefusedSignatures(
  job: RelayJob,
  { status, code = '', message = '' }: ProviderError,
): RelayJob | undefined {
  const proofs = status === 400 ? signatureRules[job.format] : undefined;
  if (proofs === undefined || !proofs.refusal.test(`${code} ${message}`)) return undefined;
  const edits = proofs.without(job.body);
  const body = Object.keys(edits).length === 0 ? null : readBody(job.body.write(edits).bytes);
  return body === null ? undefined : { ...job, body };
}
