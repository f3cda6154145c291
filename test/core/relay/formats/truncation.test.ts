/**
 * Conversations that are too long for a model of another format, where the caller wants them
 * shortened (docs/rules/responses.md#truncation).
 */
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  errorReply,
  messagesReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

type Loose = Record<string, unknown>;

const model = 'claude-haiku-4-5';
const quota = 100_000_000;
/** Characters that the model reads. */
const most = 4000;

let gateway: TestGateway;
let upstream: TestUpstream;
let openai: OpenAI;
let username: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.addChannel({ type: 14, baseUrl: upstream.url, models: model });
  upstream.answer((response, request) =>
    request.text.length > most
      ? errorReply(400, {
          type: 'invalid_request_error',
          message: `prompt is too long: ${request.text.length} tokens > ${most} maximum`,
        })(response, request)
      : messagesReply()(response, request),
  );
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(async () => {
  upstream.requests.length = 0;
  const customer = await gateway.addCustomer(quota);
  username = customer.username;
  openai = new OpenAI({ apiKey: customer.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});

type Item = OpenAI.Responses.ResponseInputItem;
const long = (text: string) => `${text} ${'word '.repeat(120)}`;
const user = (content: string): Item => ({ role: 'user', content });
const said = (content: string): Item => ({ role: 'assistant', content });
const round = (number: number): Item[] => [
  {
    type: 'function_call',
    call_id: `call_${number}`,
    name: 'look',
    arguments: JSON.stringify({ at: long(`place ${number}`) }),
  },
  {
    type: 'function_call_output',
    call_id: `call_${number}`,
    output: long(`result ${number}`),
  },
];
const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    user(long(`question ${index + 1}`)),
    ...round(index + 1),
    said(long(`answer ${index + 1}`)),
  ]).flat();

const create = (input: Item[], fields: Loose = {}) =>
  openai.responses.create({
    model,
    input,
    truncation: 'auto',
    instructions: 'Be brief.',
    ...fields,
  } as OpenAI.Responses.ResponseCreateParamsNonStreaming);

/** What the model read at last: each call has its result, and the user begins. */
function lastRead(): string {
  const { json = {}, text = '' } = upstream.requests.at(-1) ?? {};
  expect((json['messages'] as Loose[])[0]?.['role']).toBe('user');
  const ids = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, id]) => id);
  const called = ids(/"type":"tool_use","id":"(call_\d+)"/g);
  expect(ids(/"tool_use_id":"(call_\d+)"/g)).toEqual(called);
  return text;
}

it('goes on without its oldest turns, and is charged once', async () => {
  const response = await create([...turns(6), user('the last question')]);
  expect(response.output_text).toContain('Hello');
  expect(response.truncation).toBe('auto');
  expect(upstream.requests.length).toBeGreaterThan(2);
  const text = lastRead();
  expect(text).toContain('the last question');
  expect(text).toContain('Be brief.');
  expect(text).toContain('answer 6');
  expect(text).not.toContain('question 1 ');
  const { items } = await gateway.client.log.list({ username, type: 2 });
  expect(items).toHaveLength(1);
});

it('streamed, with instructions among its items', async () => {
  const stream = openai.responses.stream({
    model,
    truncation: 'auto',
    input: [
      { role: 'developer', content: 'Speak German.' },
      ...turns(6),
      user('the last question'),
    ],
  });
  expect((await stream.finalResponse()).output_text).toContain('Hello');
  expect(lastRead()).toContain('Speak German.');
});

it('keeps the question of a long loop of calls, and leaves out its oldest rounds', async () => {
  const rounds = [1, 2, 3, 4, 5, 6].flatMap(round);
  await create([...turns(1), user('the last question'), ...rounds]);
  const text = lastRead();
  expect(text).toContain('the last question');
  expect(text).toContain('result 6');
  expect(text).not.toContain('result 1 ');
});

it('is refused where nothing can be left out, or where the caller wants that', async () => {
  const huge = user('word '.repeat(2000));
  for (const [input, fields] of [
    [[huge], {}],
    [[...turns(6), user('the last question')], { truncation: 'disabled' }],
    [[...turns(6), user('the last question')], { truncation: undefined }],
  ] as const) {
    upstream.requests.length = 0;
    await expect(create([...input], fields)).rejects.toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
    });
    expect(upstream.requests).toHaveLength(1);
  }
});

it('what is stored stays whole, and is shortened again for the next turn', async () => {
  const first = await create([...turns(6), user('the last question')]);
  const { data } = await openai.responses.inputItems.list(first.id, { order: 'asc', limit: 100 });
  expect(JSON.stringify(data)).toContain('question 1 ');
  await create([user('one more')], { previous_response_id: first.id });
  expect(lastRead()).toContain('one more');
});

it('a request in the format of the upstream is left to it', async () => {
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-5.1' });
  await expect(
    create([...turns(6), user('the last question')], { model: 'gpt-5.1' }),
  ).rejects.toMatchObject({ status: 400 });
  expect(upstream.requests).toHaveLength(1);
  expect(upstream.requests[0]?.json['truncation']).toBe('auto');
});
