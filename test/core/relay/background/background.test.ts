/**
 * Responses in the background, by the official SDK, on channels of three vendors
 * (docs/rules/responses.md#background).
 */
import OpenAI from 'openai';
import type {
  Response as ResponseObject,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import { messageItem, responsesReply } from '../../../support/responses-upstream.ts';
import {
  type Answer,
  errorReply,
  messagesReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

/** On a busy machine, too. */
const eventually = <T>(look: () => T | Promise<T>) => vi.waitFor(look);

const answers = {
  OpenAI: { type: 1, reply: responsesReply([messageItem('Hello from afar')]) },
  Claude: { type: 14, reply: messagesReply('Hello from afar') },
  Gemini: { type: 24, reply: generateReply('Hello from afar') },
} as const;
const funds = 1_000_000_000;

let gateway: TestGateway;
let upstream: TestUpstream;
let serial = 0;
/** Lets the upstream answer. */
let release: () => void = () => undefined;

beforeAll(async () => {
  gateway = await startTestGateway({}, undefined, 200);
  upstream = await startUpstream();
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.set('RetryTimes', 0);
});
afterEach(() => release());
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** The upstream answers when `release` is called. */
function hold(reply: Answer): void {
  const gate = Promise.withResolvers<void>();
  release = gate.resolve;
  upstream.answer(async (response, request) => {
    await gate.promise;
    return reply(response, request);
  });
}

async function setUp(vendor: keyof typeof answers = 'OpenAI') {
  serial += 1;
  const model = `gpt-4o-b${serial}`;
  await gateway.addChannel({ type: answers[vendor].type, baseUrl: upstream.url, models: model });
  const { key, userId } = await gateway.addCustomer(funds);
  return { model, userId, key, sdk: client(key) };
}

const client = (apiKey: OpenAI['apiKey']) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const spent = async (userId: number) =>
  funds - (await gateway.client.user.get({ id: userId })).quota;
const failure = (running: Promise<unknown>) =>
  running.then(
    () => 'no error',
    (reason: unknown) => reason,
  );

/** The response, once it has ended. */
const ended = (sdk: OpenAI, id: string): Promise<ResponseObject> =>
  eventually(async () => {
    const response = await sdk.responses.retrieve(id);
    if (response.status === 'queued' || response.status === 'in_progress') throw new Error('runs');
    return response;
  });

async function all(events: AsyncIterable<ResponseStreamEvent>): Promise<ResponseStreamEvent[]> {
  const list: ResponseStreamEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}

const numbers = (events: readonly ResponseStreamEvent[]) =>
  events.map(({ sequence_number: number }) => number);
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, index) => index);

describe.each(Object.keys(answers) as (keyof typeof answers)[])('on a channel of %s', (vendor) => {
  it('is answered at once, polled, charged once and continued', async () => {
    const { model, userId, sdk } = await setUp(vendor);
    hold(answers[vendor].reply);
    const begun = await sdk.responses.create({ model, input: 'Hi', background: true });
    expect(begun).toMatchObject({ status: 'queued', background: true, store: true, output: [] });
    const early = await sdk.responses.retrieve(begun.id);
    expect(['queued', 'in_progress']).toContain(early.status);
    expect(
      await failure(sdk.responses.create({ model, input: 'x', previous_response_id: begun.id })),
    ).toMatchObject({ status: 400, code: 'previous_response_not_found' });
    release();
    const done = await ended(sdk, begun.id);
    expect(done).toMatchObject({
      id: begun.id,
      status: 'completed',
      background: true,
      error: null,
    });
    expect(done.output_text).toBe('Hello from afar');
    expect(done.usage?.output_tokens).toBeGreaterThan(0);
    const cost = await spent(userId);
    expect(cost).toBeGreaterThan(0);
    const { items } = await gateway.client.log.list({ model_name: model, type: 2 });
    expect(items.map(({ quota }) => quota)).toEqual([cost]);
    const listed = await sdk.responses.inputItems.list(begun.id);
    expect(listed.data).toMatchObject([{ role: 'user' }]);
    const next = await sdk.responses.create({
      model,
      input: 'And?',
      previous_response_id: begun.id,
    });
    expect(next.status).toBe('completed');
    expect(upstream.requests.at(-1)?.text).toContain('Hello from afar');
  });

  it('is read on after its client left, also after a restart of the gateway', async () => {
    const { model, sdk, key } = await setUp(vendor);
    hold(answers[vendor].reply);
    const stream = await sdk.responses.create({
      model,
      input: 'Hi',
      background: true,
      stream: true,
    });
    const first: ResponseStreamEvent[] = [];
    for await (const event of stream) {
      first.push(event);
      if (first.length === 2) break;
    }
    expect(first.map(({ type }) => type)).toEqual(['response.created', 'response.queued']);
    const id = first.flatMap((event) => ('response' in event ? [event.response.id] : []))[0] ?? '';
    const resumed = all(await sdk.responses.retrieve(id, { stream: true, starting_after: 1 }));
    release();
    const rest = await resumed;
    const whole = [...first, ...rest];
    expect(numbers(whole)).toEqual(upTo(whole.length - 1));
    expect(rest[0]?.type).toBe('response.in_progress');
    const text = rest.map((event) =>
      event.type === 'response.output_text.delta' ? event.delta : '',
    );
    expect(text.join('')).toBe('Hello from afar');
    expect(rest.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { id, status: 'completed', background: true },
    });
    expect(await all(await sdk.responses.retrieve(id, { stream: true }))).toEqual(whole);
    await gateway.restart();
    const later = await client(key).responses.retrieve(id, { stream: true, starting_after: 3 });
    expect(await all(later)).toEqual(whole.slice(4));
  });
});

test('cancelling stops the upstream, returns the hold, and can be repeated', async () => {
  const { model, userId, sdk } = await setUp();
  hold(answers.OpenAI.reply);
  const before = upstream.requests.length;
  const { id } = await sdk.responses.create({ model, input: 'Hi', background: true });
  await eventually(() => expect(upstream.requests.length).toBe(before + 1));
  const { aborted } = upstream;
  expect(await sdk.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });
  await eventually(() => expect(upstream.aborted).toBe(aborted + 1));
  expect(await sdk.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });
  release();
  expect((await sdk.responses.retrieve(id)).status).toBe('cancelled');
  await eventually(async () => expect(await spent(userId)).toBe(0));
});

test('deleting stops the upstream, and nothing is left', async () => {
  const { model, sdk } = await setUp();
  hold(answers.OpenAI.reply);
  const before = upstream.requests.length;
  const { id } = await sdk.responses.create({ model, input: 'Hi', background: true });
  await eventually(() => expect(upstream.requests.length).toBe(before + 1));
  const { aborted } = upstream;
  await sdk.responses.delete(id);
  await eventually(() => expect(upstream.aborted).toBe(aborted + 1));
  expect(await failure(sdk.responses.retrieve(id))).toMatchObject({ status: 404 });
});

test('a response that no channel serves has failed, with the reason, and costs nothing', async () => {
  const { model, userId, sdk } = await setUp();
  upstream.answer(errorReply(500, { message: 'down', type: 'server_error' }));
  const { id } = await sdk.responses.create({ model, input: 'Hi', background: true });
  const response = await ended(sdk, id);
  expect(response.status).toBe('failed');
  expect(response.error?.message).toContain('down');
  expect(await spent(userId)).toBe(0);
});

test('a stream that is cut ends as failed, and its events say so', async () => {
  const { model, sdk } = await setUp();
  upstream.answer(responsesReply([messageItem('Half ')], { last: null, end: 'cut' }));
  const stream = await sdk.responses.create({ model, input: 'Hi', background: true, stream: true });
  const events = await all(stream);
  expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed' } });
  expect(numbers(events)).toEqual(upTo(events.length - 1));
});

test('nobody else reads, streams, cancels or deletes it', async () => {
  const { model, sdk } = await setUp();
  upstream.answer(answers.OpenAI.reply);
  const { id } = await sdk.responses.create({
    model,
    input: 'Hi',
    background: true,
    stream: false,
  });
  const other = client((await gateway.addCustomer(funds)).key);
  for (const call of [
    () => other.responses.retrieve(id),
    () => other.responses.retrieve(id, { stream: true }),
    () => other.responses.cancel(id),
    () => other.responses.delete(id),
    () => sdk.responses.cancel('resp_unknown'),
    () => sdk.responses.retrieve('resp_unknown', { stream: true }),
  ])
    expect(await failure(call())).toMatchObject({ status: 404, code: 'response_not_found' });
  expect((await ended(sdk, id)).status).toBe('completed');
});

test('what cannot be done is refused, with nothing held', async () => {
  const { model, userId, sdk } = await setUp();
  upstream.answer(answers.OpenAI.reply);
  expect(
    await failure(sdk.responses.create({ model, input: 'Hi', background: true, store: false })),
  ).toMatchObject({ status: 400, code: 'background_not_stored', param: 'background' });
  expect(
    await failure(sdk.responses.create({ model: 'unknown', input: 'Hi', background: true })),
  ).toMatchObject({ status: 503 });
  expect(await spent(userId)).toBe(0);
  const plain = await sdk.responses.create({ model, input: 'Hi' });
  expect(await failure(sdk.responses.cancel(plain.id))).toMatchObject({
    status: 400,
    code: 'response_not_cancellable',
  });
  const { id } = await sdk.responses.create({ model, input: 'Hi', background: true });
  await ended(sdk, id);
  expect(await failure(sdk.responses.retrieve(id, { stream: true }))).toMatchObject({
    status: 400,
  });
});

test('a user may have so many under way as the site allows', async () => {
  const { model, sdk } = await setUp();
  await gateway.set('global.background_responses', 1);
  hold(answers.OpenAI.reply);
  const { id } = await sdk.responses.create({ model, input: 'Hi', background: true });
  expect(
    await failure(sdk.responses.create({ model, input: 'Hi', background: true })),
  ).toMatchObject({ status: 429, code: 'too_many_background' });
  release();
  await ended(sdk, id);
  const next = await sdk.responses.create({ model, input: 'Hi', background: true });
  expect(next.status).toBe('queued');
  await ended(sdk, next.id);
  await gateway.set('global.background_responses', 20);
});

test('those that are refused take no room of the user', async () => {
  const { model, sdk } = await setUp();
  await gateway.set('global.background_responses', 1);
  await gateway.set('global.stored_responses_mb', 1);
  hold(answers.OpenAI.reply);
  const { id } = await sdk.responses.create({ model, input: 'Hi', background: true });
  const input = 'word '.repeat(80_000);
  for (let time = 0; time < 4; time++)
    expect(await failure(sdk.responses.create({ model, input, background: true }))).toMatchObject({
      code: 'too_many_background',
    });
  release();
  await ended(sdk, id);
  await gateway.set('global.background_responses', 20);
  await gateway.set('global.stored_responses_mb', 1024);
});

test('a gateway that stops ends what it cannot finish as failed, and charges nothing', async () => {
  const { model, userId, sdk, key } = await setUp();
  hold(answers.OpenAI.reply);
  const { id } = await sdk.responses.create({ model, input: 'Hi', background: true });
  await gateway.restart();
  const response = await client(key).responses.retrieve(id);
  expect(response).toMatchObject({ status: 'failed', output: [] });
  expect(response.error?.code).toBeTruthy();
  expect(await spent(userId)).toBe(0);
});
