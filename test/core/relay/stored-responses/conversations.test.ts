/**
 * Conversations by the official SDK, on channels of three vendors
 * (docs/rules/responses.md#conversations).
 */
import OpenAI from 'openai';
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

let serial = 0;
/** Ids of upstreams are unique. */
function openAiReply(text: string): Answer {
  serial += 1;
  return responsesReply([messageItem(text, `msg_${serial}`)]);
}
const vendors = {
  OpenAI: { type: 1, reply: openAiReply },
  Claude: { type: 14, reply: messagesReply },
  Gemini: { type: 24, reply: generateReply },
} as const;
const funds = 1_000_000_000;

let gateway: TestGateway;
let upstream: TestUpstream;
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

async function setUp(vendor: keyof typeof vendors = 'OpenAI') {
  serial += 1;
  const model = `gpt-4o-v${serial}`;
  await gateway.addChannel({ type: vendors[vendor].type, baseUrl: upstream.url, models: model });
  const { key, userId } = await gateway.addCustomer(funds);
  return { model, key, userId, sdk: client(key) };
}

const client = (apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const sentLast = () => upstream.requests.at(-1)?.text ?? '';
const failure = (running: Promise<unknown>) =>
  running.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
const spent = async (userId: number) =>
  funds - (await gateway.client.user.get({ id: userId })).quota;

/** The upstream answers when `release` is called. */
function hold(reply: Answer): void {
  const gate = Promise.withResolvers<void>();
  release = gate.resolve;
  upstream.answer(async (response, request) => {
    await gate.promise;
    return reply(response, request);
  });
}

/** Roles and texts of all items, the oldest first. */
async function read(sdk: OpenAI, id: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const item of sdk.conversations.items.list(id, { order: 'asc', limit: 2 }))
    if (item.type === 'message')
      texts.push(
        `${item.role}: ${item.content.map((part) => ('text' in part ? part.text : '')).join('')}`,
      );
  return texts;
}

describe.each(Object.keys(vendors) as (keyof typeof vendors)[])('on a channel of %s', (vendor) => {
  const { reply } = vendors[vendor];

  it.each([false, true])('a turn knows those before it, streamed: %s', async (stream) => {
    const { model, sdk } = await setUp(vendor);
    const { id } = await sdk.conversations.create({
      items: [{ type: 'message', role: 'developer', content: 'Be brief' }],
    });
    const ask = async (input: string, answer: string) => {
      upstream.answer(reply(answer));
      const request = { model, input, conversation: id };
      return stream ? sdk.responses.stream(request).finalResponse() : sdk.responses.create(request);
    };
    const first = await ask('My name is Ann', 'Hello Ann');
    expect(first.output_text).toBe('Hello Ann');
    expect(first.conversation).toEqual({ id });
    await ask('Who am I?', 'You are Ann');
    expect(sentLast()).toContain('Be brief');
    expect(sentLast()).toContain('My name is Ann');
    expect(sentLast()).toContain('Hello Ann');
    expect(sentLast()).not.toContain(id);
    expect(await read(sdk, id)).toEqual([
      'developer: Be brief',
      'user: My name is Ann',
      'assistant: Hello Ann',
      'user: Who am I?',
      'assistant: You are Ann',
    ]);
    const stored = await sdk.responses.retrieve(first.id);
    expect(stored.conversation).toEqual({ id });
    upstream.answer(reply('Yes'));
    await sdk.responses.create({ model, input: 'So?', previous_response_id: first.id });
    expect(sentLast()).toContain('Be brief');
  });

  it('is one conversation for its budget, with the responses that go on with its own', async () => {
    const { model, sdk, userId } = await setUp(vendor);
    await gateway.client.budgets.create({
      owner: 'user',
      owner_id: String(userId),
      each: 'conversation',
      period: 'total',
      amount: funds,
      most_requests: 3,
    });
    upstream.answer(reply('Hello'));
    const [one, other] = [await sdk.conversations.create(), await sdk.conversations.create()];
    const ask = (input: string, more: object) =>
      sdk.responses.create({ model, input, stream: false, ...more });
    await ask('Hi', { conversation: one.id });
    const second = await ask('Hi', { conversation: one.id });
    await ask('And?', { previous_response_id: second.id });
    expect(await failure(ask('Hi', { conversation: one.id }))).toMatchObject({ status: 429 });
    await ask('Hi', { conversation: other.id });
  });

  it('a turn in the background is added when it has ended', async () => {
    const { model, sdk } = await setUp(vendor);
    const { id } = await sdk.conversations.create();
    hold(reply('Hello Ann'));
    const begun = await sdk.responses.create({
      model,
      input: 'My name is Ann',
      conversation: { id },
      background: true,
    });
    expect(begun.conversation).toEqual({ id });
    expect(await read(sdk, id)).toEqual([]);
    release();
    await eventually(async () =>
      expect((await sdk.responses.retrieve(begun.id)).status).toBe('completed'),
    );
    expect(await read(sdk, id)).toEqual(['user: My name is Ann', 'assistant: Hello Ann']);
  });
});

test('are created, read, changed and deleted, with their items', async () => {
  const { sdk } = await setUp();
  const metadata = { topic: 'demo' };
  const created = await sdk.conversations.create({ metadata });
  expect(created).toMatchObject({ object: 'conversation', metadata });
  const { id } = created;
  expect(await sdk.conversations.retrieve(id)).toEqual(created);
  const changed = await sdk.conversations.update(id, { metadata: { topic: 'other' } });
  expect(changed).toEqual({ ...created, metadata: { topic: 'other' } });
  const added = await sdk.conversations.items.create(id, {
    items: [
      { role: 'user', content: 'one' },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    ],
  });
  expect(added.data).toMatchObject([
    { type: 'message', role: 'user', status: 'completed', content: [{ text: 'one' }] },
    { type: 'function_call', id: expect.stringMatching(/^fc_/) },
  ]);
  const itemId = added.first_id;
  const place = { conversation_id: id };
  expect(await sdk.conversations.items.retrieve(itemId, place)).toEqual(added.data[0]);
  const newest = await sdk.conversations.items.list(id, { limit: 1 });
  expect(newest.data).toEqual([added.data[1]]);
  expect(newest.has_more).toBe(true);
  expect(await sdk.conversations.items.delete(itemId, place)).toMatchObject({ id });
  expect(await failure(sdk.conversations.items.retrieve(itemId, place))).toMatchObject({
    status: 404,
    code: 'response_item_not_found',
  });
  expect(await sdk.conversations.delete(id)).toEqual({
    id,
    object: 'conversation.deleted',
    deleted: true,
  });
  expect(await failure(sdk.conversations.retrieve(id))).toMatchObject({
    status: 404,
    code: 'conversation_not_found',
  });
});

test('one request at a time works on a conversation; the other is refused and can be repeated', async () => {
  const { model, userId, sdk } = await setUp();
  const { id } = await sdk.conversations.create();
  const before = upstream.requests.length;
  hold(openAiReply('First'));
  const first = sdk.responses.create({ model, input: 'one', conversation: id });
  await eventually(() => expect(upstream.requests.length).toBe(before + 1));
  const locked = { status: 400, code: 'conversation_locked', param: 'conversation' };
  const second = { model, input: 'two', conversation: id };
  expect(await failure(sdk.responses.create(second))).toMatchObject(locked);
  const items = [{ role: 'user' as const, content: 'three' }];
  expect(await failure(sdk.conversations.items.create(id, { items }))).toMatchObject(locked);
  release();
  await first;
  const cost = await spent(userId);
  upstream.answer(openAiReply('Second'));
  await sdk.responses.create(second);
  expect(await spent(userId)).toBeGreaterThan(cost);
  expect(await read(sdk, id)).toEqual([
    'user: one',
    'assistant: First',
    'user: two',
    'assistant: Second',
  ]);
});

test('an item is not deleted while a request works on its conversation, whose turn is kept', async () => {
  const { model, sdk } = await setUp();
  const items = [{ role: 'user' as const, content: 'one' }];
  const { id } = await sdk.conversations.create({ items });
  const [item] = (await sdk.conversations.items.list(id)).data;
  const before = upstream.requests.length;
  hold(openAiReply('Second'));
  const running = sdk.responses.create({ model, input: 'two', conversation: id });
  await eventually(() => expect(upstream.requests.length).toBe(before + 1));
  const itemId = item?.id ?? '';
  const remove = () => sdk.conversations.items.delete(itemId, { conversation_id: id });
  expect(await failure(remove())).toMatchObject({ status: 400, code: 'conversation_locked' });
  release();
  await running;
  await remove();
  expect(await read(sdk, id)).toEqual(['user: two', 'assistant: Second']);
});

test('what failed or was left adds nothing, and leaves the conversation free', async () => {
  const { model, sdk } = await setUp();
  const { id } = await sdk.conversations.create();
  upstream.answer(errorReply(500, { message: 'down' }));
  await failure(sdk.responses.create({ model, input: 'one', conversation: id }));
  hold(openAiReply('late'));
  const before = upstream.requests.length;
  const leaving = new AbortController();
  const left = failure(
    sdk.responses.create({ model, input: 'two', conversation: id }, { signal: leaving.signal }),
  );
  await eventually(() => expect(upstream.requests.length).toBe(before + 1));
  const { aborted } = upstream;
  leaving.abort();
  await left;
  await eventually(() => expect(upstream.aborted).toBe(aborted + 1));
  release();
  upstream.answer(openAiReply('Third'));
  await eventually(() => sdk.responses.create({ model, input: 'three', conversation: id }));
  expect(await read(sdk, id)).toEqual(['user: three', 'assistant: Third']);
});

test('nobody else has it', async () => {
  const { model, sdk } = await setUp();
  const { id } = await sdk.conversations.create();
  const other = await setUp();
  const place = { conversation_id: id };
  for (const call of [
    () => other.sdk.conversations.retrieve(id),
    () => other.sdk.conversations.update(id, { metadata: {} }),
    () => other.sdk.conversations.delete(id),
    () => other.sdk.conversations.items.list(id),
    () => other.sdk.conversations.items.create(id, { items: [{ role: 'user', content: 'x' }] }),
    () => other.sdk.conversations.items.retrieve('msg_1', place),
    () => other.sdk.conversations.items.delete('msg_1', place),
    () => other.sdk.responses.create({ model: other.model, input: 'x', conversation: id }),
    () =>
      other.sdk.responses.inputTokens.count({ model: other.model, input: 'x', conversation: id }),
    () => sdk.responses.create({ model, input: 'x', conversation: 'conv_unknown' }),
  ])
    expect(await failure(call())).toMatchObject({ status: 404, code: 'conversation_not_found' });
  expect(await spent(other.userId)).toBe(0);
});

test('hostile requests are refused', async () => {
  const { model, sdk } = await setUp();
  const { id } = await sdk.conversations.create();
  const many = Array.from({ length: 21 }, () => ({ role: 'user' as const, content: 'x' }));
  for (const call of [
    () => sdk.conversations.items.create(id, { items: many }),
    () => sdk.conversations.items.create(id, { items: [] }),
    () => sdk.conversations.items.create(id, { items: [{ type: 'item_reference', id: 'msg_1' }] }),
    () => sdk.conversations.create({ metadata: { topic: 'x'.repeat(513) } }),
    () =>
      sdk.conversations.create({
        metadata: Object.fromEntries(many.map((_, index) => [`key${index}`, ''])),
      }),
    () =>
      sdk.responses.create({
        model,
        input: 'x',
        conversation: id,
        previous_response_id: 'resp_1',
      }),
  ])
    expect(await failure(call())).toMatchObject({ status: 400, code: 'invalid_request' });
  await gateway.set('global.stored_responses_days', 0);
  expect(await failure(sdk.conversations.create())).toMatchObject({
    status: 400,
    code: 'conversation_not_stored',
  });
  await gateway.set('global.stored_responses_days', 30);
});

test('tokens of a conversation are counted, and it is there after a restart', async () => {
  const { model, key, sdk } = await setUp();
  const content = 'many words '.repeat(500);
  const { id } = await sdk.conversations.create({ items: [{ role: 'user', content }] });
  const counted = await sdk.responses.inputTokens.count({ model, input: 'x', conversation: id });
  expect(counted.input_tokens).toBeGreaterThan(900);
  await gateway.restart();
  expect(await read(client(key), id)).toEqual([`user: ${content}`]);
});
