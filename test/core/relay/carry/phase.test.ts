/**
 * What a text of an answer is (`phase`) comes back to OpenAI's models with the next turn, whoever
 * asks (docs/rules/formats.md#phase).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../../../src/core/kernel/json.ts';
import { openai } from '../../../../src/core/providers/openai/index.ts';
import { readValues } from '../../../../src/core/relay/formats/shared/events.ts';
import { type CallerName, thinkingCallers } from '../../../contract/conversion/thinking-callers.ts';
import { asSent } from '../../../contract/providers/support/as-sent.ts';
import { type CallBench, startCallBench } from '../../../support/calls.ts';
import { messageItem, responsesReply } from '../../../support/responses-upstream.ts';

type Loose = Record<string, unknown>;
const listOf = (value: unknown) => (Array.isArray(value) ? (value as Loose[]) : []);
const model = 'gpt-6-sol';
const call = {
  id: 'fc_1',
  type: 'function_call',
  status: 'completed',
  call_id: 'call_1',
  name: 'look',
  arguments: '{"at":"sky"}',
};
const commentary = { ...messageItem('I will look.', 'msg_1'), phase: 'commentary' };
const answer = { ...messageItem('It is blue.', 'msg_2'), phase: 'final_answer' };

let bench: CallBench;
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;
beforeAll(async () => {
  bench = await startCallBench(model);
  customer = await bench.gateway.addCustomer(1e12);
});
afterAll(() => bench.close());
beforeEach(() => bench.upstream.answer(responsesReply([commentary, call])));

async function post({ path, body }: { readonly path: string; readonly body: Loose }) {
  const reply = await bench.post(path, customer.key, JSON.stringify(body));
  const text = await reply.text();
  expect([reply.status, text]).toEqual([200, expect.any(String)]);
  return text;
}

/** The messages of the model that the upstream got last. */
function sentAnswers(): Loose[] {
  const sent = bench.upstream.requests.at(-1);
  expect(sent?.path).toBe('/v1/responses');
  return listOf(sent?.json['input']).filter(({ role }) => role === 'assistant');
}

const ways = (Object.keys(thinkingCallers) as CallerName[]).flatMap((name) =>
  [false, true].map((stream) => [name, stream] as const),
);

it.each(ways)('is returned for callers of %s, streamed %s', async (name, stream) => {
  const caller = thinkingCallers[name];
  const text = await post(caller.request(model, stream));
  const said = stream
    ? caller.streamed(readValues(Buffer.from(text)).filter(isObject))
    : caller.whole(JSON.parse(text) as Loose);
  // The client of this table keeps no plans of Cohere's streams.
  const kept =
    name === 'cohere' ? said.map((one) => ({ tool_plan: 'I will look.', ...one })) : said;
  await post(caller.request(model, stream, kept));
  const sent = sentAnswers().map(({ phase, content }) => [
    phase,
    listOf(content)
      .map((part) => part['text'])
      .join(''),
  ]);
  expect(sent).toEqual([['commentary', 'I will look.']]);
});

it('is kept with stored responses', async () => {
  const first = { model, input: 'Look.', tools: [] };
  const { id } = JSON.parse(await post({ path: '/v1/responses', body: first })) as { id: string };
  bench.upstream.answer(responsesReply([answer]));
  const result = { type: 'function_call_output', call_id: 'call_1', output: 'Blue.' };
  const body = { model, previous_response_id: id, input: [result], tools: [] };
  const reply = JSON.parse(await post({ path: '/v1/responses', body })) as Loose;
  expect(reply['output']).toMatchObject([{ phase: 'final_answer' }]);
});

describe('between Responses and Responses, translated', () => {
  const settings = { use_responses: true };

  it('each text keeps its own', () => {
    const input: JsonObject[] = [
      { role: 'user', content: 'Look.' },
      { type: 'message', role: 'assistant', phase: 'commentary', content: 'Looking.' },
      { type: 'message', role: 'assistant', phase: 'final_answer', content: 'Blue.' },
      { role: 'user', content: 'Sure?' },
    ];
    const request = { input };
    // A chat channel of another vendor has no place for it; OpenAI's Responses has.
    const chat = asSent(openai, 'Responses', 'gpt-4o', request, {
      settings: { use_responses: false },
    });
    expect(JSON.stringify(chat.body)).not.toContain('phase');
    const own = asSent(openai, 'Responses', model, request, { settings });
    expect(own.body.input).toEqual(input);
  });
});
