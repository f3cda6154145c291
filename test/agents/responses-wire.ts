/**
 * An upstream with OpenAI's Responses. What it stores, unless `store` is false, belongs to the key:
 * requests refer to it by the id of a response or of an item.
 */
import { randomBytes } from 'node:crypto';
import { type Loose, recordsOf, textOf } from '../../src/core/canonical/kit/read-json.ts';
import type { ReceivedRequest } from '../support/upstream.ts';
import { signatureOf, type Turn } from './script.ts';
import {
  complaints,
  events,
  type FaultCollector,
  inThreeParts,
  upstreamKeys,
  type Wire,
} from './wire.ts';

const known = [
  'model',
  'input',
  'instructions',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'reasoning',
  'store',
  'include',
  'max_output_tokens',
  'temperature',
  'top_p',
  'prompt_cache_key',
  'user',
  'metadata',
  'safety_identifier',
  'service_tier',
  'truncation',
];

const callTypes = ['function_call', 'custom_tool_call'];

/** Names of tools, including those in namespaces, with the namespace that a call must use. */
function toolsIn(
  tools: unknown,
  namespace?: string,
): { name: string; type: string; namespace?: string }[] {
  return recordsOf(tools).flatMap((tool) => {
    const name = textOf(tool['name']) ?? '';
    const type = textOf(tool['type']) ?? '';
    return type === 'namespace' ? toolsIn(tool['tools'], name) : [{ name, type, namespace }];
  });
}

function offered(body: Loose) {
  const added = recordsOf(body['input']).filter((item) => item['type'] === 'additional_tools');
  return [...toolsIn(body['tools']), ...added.flatMap((item) => toolsIn(item['tools']))].filter(
    ({ name }) => name !== '',
  );
}

function textOfOutput(output: unknown): string {
  return typeof output === 'string'
    ? output
    : recordsOf(output)
        .map((part) => textOf(part['text']) ?? '')
        .join('');
}

/** Items of the conversation up to a response, or a single item, by key and id. */
const stored = new Map<string, readonly Loose[]>();
const placeOf = (headers: ReceivedRequest['headers'], id: unknown) =>
  `${headers.authorization} ${String(id)}`;

/** The whole conversation: references are replaced by what is stored. */
function inputOf(
  { json: body, headers }: Pick<ReceivedRequest, 'json' | 'headers'>,
  noted?: FaultCollector,
): readonly Loose[] {
  const held = (id: unknown): readonly Loose[] => {
    const found = stored.get(placeOf(headers, id));
    noted?.expect(found !== undefined, `${String(id)} is not stored for this key`);
    return found ?? [];
  };
  const previous = body['previous_response_id'];
  const given =
    typeof body['input'] === 'string'
      ? [{ role: 'user', content: body['input'] }]
      : recordsOf(body['input']);
  const items = given.flatMap((item) =>
    item['type'] === 'item_reference' ? held(item['id']) : [item],
  );
  return [...(typeof previous === 'string' ? held(previous) : []), ...items];
}

function keep(request: ReceivedRequest, id: string, items: readonly Loose[]): void {
  if (request.json['store'] === false) return;
  stored.set(placeOf(request.headers, id), [...inputOf(request), ...items]);
  for (const item of items) stored.set(placeOf(request.headers, item['id']), [item]);
}

function resultsOf(input: readonly Loose[], { expect }: FaultCollector): string[] {
  const outputs = input.filter((item) => textOf(item['type'])?.endsWith('_call_output'));
  const calls = input.filter((item) => callTypes.includes(textOf(item['type']) ?? ''));
  expect(outputs.length === calls.length, `${calls.length} calls and ${outputs.length} outputs`);
  return calls.map((call) => {
    const output = outputs.find((item) => item['call_id'] === call['call_id']);
    expect(
      output?.['type'] === `${String(call['type'])}_output`,
      `the call ${String(call['call_id'])} has no output of its kind`,
    );
    return textOfOutput(output?.['output']);
  });
}

/** Reasoning items are sent back unchanged, directly before the item they led to, or not at all. */
function checkReasoning(
  input: readonly Loose[],
  headers: ReceivedRequest['headers'],
  { expect }: FaultCollector,
): void {
  const proofs = [1, 2, 3, 4].map(signatureOf);
  for (const [index, item] of input.entries()) {
    if (item['type'] !== 'reasoning') continue;
    const proof = textOf(item['encrypted_content']);
    const known = stored.has(placeOf(headers, item['id'])) && proof === undefined;
    expect(
      known || (proof !== undefined && proofs.includes(proof)),
      `reasoning with the foreign content ${proof}`,
    );
    const next = input[index + 1];
    const follows =
      next?.['role'] === 'assistant' || callTypes.includes(textOf(next?.['type']) ?? '');
    expect(follows, `reasoning is followed by ${String(next?.['type'])}`);
  }
}

function usageOf({ fresh, cached, output, reasoning }: Turn['tokens']): Loose {
  return {
    input_tokens: fresh + cached,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: fresh + cached + output,
  };
}

/** An item, its initial form, and the events in between. */
interface Streamed {
  readonly item: Loose;
  readonly begun: Loose;
  readonly deltas: (at: Loose) => readonly Loose[];
}

function reasoningItem(unique: string, number: number, thinking: string): Streamed {
  const item = {
    id: `rs_${unique}`,
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: thinking }],
  };
  const place = { summary_index: 0 };
  return {
    item: { ...item, encrypted_content: signatureOf(number) },
    begun: { ...item, summary: [] },
    deltas: (at) => [
      {
        type: 'response.reasoning_summary_part.added',
        ...at,
        ...place,
        part: { type: 'summary_text', text: '' },
      },
      ...inThreeParts(thinking).map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        ...at,
        ...place,
        delta,
      })),
      { type: 'response.reasoning_summary_text.done', ...at, ...place, text: thinking },
      {
        type: 'response.reasoning_summary_part.done',
        ...at,
        ...place,
        part: { type: 'summary_text', text: thinking },
      },
    ],
  };
}

function messageItem(unique: string, text: string): Streamed {
  const item = { id: `msg_${unique}`, type: 'message', role: 'assistant' };
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  const place = { content_index: 0 };
  return {
    item: { ...item, status: 'completed', content: [part] },
    begun: { ...item, status: 'in_progress', content: [] },
    deltas: (at) => [
      { type: 'response.content_part.added', ...at, ...place, part: { ...part, text: '' } },
      ...inThreeParts(text).map((delta) => ({
        type: 'response.output_text.delta',
        ...at,
        ...place,
        delta,
        logprobs: [],
      })),
      { type: 'response.output_text.done', ...at, ...place, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, ...place, part },
    ],
  };
}

function callItem({ id, tool, input }: Turn['calls'][number], body: Loose): Streamed {
  const { namespace, type } = offered(body).find(({ name }) => name === tool) ?? {};
  const custom = type === 'custom';
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const field = custom ? 'input' : 'arguments';
  const kind = custom ? 'custom_tool_call' : 'function_call';
  const event = custom ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  const item = {
    id: `fc_${id}`,
    type: kind,
    call_id: id,
    name: tool,
    ...(namespace === undefined ? {} : { namespace }),
  };
  return {
    item: { ...item, status: 'completed', [field]: text },
    begun: { ...item, status: 'in_progress', [field]: '' },
    deltas: (at) => [
      ...inThreeParts(text).map((delta) => ({ type: `${event}.delta`, ...at, delta })),
      { type: `${event}.done`, ...at, [field]: text },
    ],
  };
}

function replyOf({ number, thinking, text, calls, tokens }: Turn, request: ReceivedRequest) {
  const body = request.json;
  const unique = randomBytes(6).toString('hex');
  const items = [
    ...(thinking === undefined ? [] : [reasoningItem(unique, number, thinking)]),
    ...(text === '' ? [] : [messageItem(unique, text)]),
    ...calls.map((call) => callItem(call, body)),
  ];
  const response = {
    id: `resp_${unique}`,
    object: 'response',
    created_at: 1_700_000_000,
    model: body['model'],
    error: null,
  };
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  const whole = {
    ...response,
    status: 'completed',
    output: items.map(({ item }) => item),
    usage: usageOf(tokens),
  };
  keep(request, response.id, whole.output);
  return { items, begun, whole };
}

export const responsesWire: Wire = {
  type: 'openai',
  setting: { use_responses: true },
  model: 'gpt-5.4',
  reportsCacheWrites: false,
  hasSignatures: true,
  serves: (path) => path === '/v1/responses',
  read: ({ json: body, headers }, native) => {
    const noted = complaints();
    noted.expect(
      upstreamKeys.some((key) => headers.authorization === `Bearer ${key}`),
      'the key is not the channel’s',
    );
    if (!native) noted.only(body, known, 'the body');
    const input = inputOf({ json: body, headers }, noted);
    const ours = input.every(
      (item) => textOf(item['type']) !== undefined || textOf(item['role']) !== undefined,
    );
    noted.expect(ours, 'an input item without a type');
    checkReasoning(input, headers, noted);
    const tools = offered(body).map(({ name }) => name);
    return {
      tools,
      parallel: body['parallel_tool_calls'] !== false,
      results: resultsOf(input, noted),
      faults: noted.all,
    };
  },
  writeWhole: (turn, request) => replyOf(turn, request).whole,
  write: (turn, request) => {
    const { items, begun, whole } = replyOf(turn, request);
    const all: Loose[] = [
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      ...items.flatMap(({ item, begun: first, deltas }, output_index) => [
        { type: 'response.output_item.added', output_index, item: first },
        ...deltas({ item_id: item['id'], output_index }),
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response: whole },
    ];
    return events(
      all.map((event, sequence_number) => ({ ...event, sequence_number })),
      true,
    );
  },
};
