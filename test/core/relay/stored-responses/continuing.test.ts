/**
 * Responses that are continued by id, by the official SDK and by Vercel's AI SDK
 * (docs/rules/responses.md).
 */
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import type {
  FunctionTool,
  Response as ResponseObject,
} from 'openai/resources/responses/responses';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { responsesReply } from '../../../support/responses-upstream.ts';
import {
  statefulGemini,
  statefulMessages,
  statefulResponses,
} from '../../../support/stateful-upstream.ts';
import { errorReply, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

const wires = ['OpenAI', 'Claude', 'Gemini'] as const;
type Wire = (typeof wires)[number];
const types = { OpenAI: 1, Claude: 14, Gemini: 24 } as const;

let gateway: TestGateway;
let serial = 0;
const upstreams = new Map<Wire, TestUpstream>();
const at = (wire: Wire): TestUpstream => upstreams.get(wire) as TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.set('RetryTimes', 0);
  // Which turn of a conversation goes where is what is tested here.
  await gateway.set('channel_affinity_setting.enabled', false);
  for (const wire of wires) upstreams.set(wire, await startUpstream());
});
afterAll(async () => {
  await gateway.close();
  for (const upstream of upstreams.values()) await upstream.close();
});
beforeEach(() => {
  for (const upstream of upstreams.values()) upstream.requests.length = 0;
  at('OpenAI').answer(statefulResponses().answer);
  at('Claude').answer(statefulMessages);
  at('Gemini').answer(statefulGemini);
});

/** A model that only these channels serve. */
async function modelOn(...channels: { wire: Wire; key?: string; setting?: string }[]) {
  serial += 1;
  const model = `gpt-4o-${serial}`;
  const ids: number[] = [];
  for (const { wire, key = `key-${ids.length}`, setting = '{}' } of channels) {
    const ratios = { key, setting, type: types[wire], baseUrl: at(wire).url, models: model };
    ids.push(await gateway.addChannel(ratios));
  }
  return { model, ids };
}

beforeAll(() => gateway.set('SelfUseModeEnabled', true));

const client = (apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const customer = async () => gateway.addCustomer(1_000_000_000);
const spent = async (userId: number) =>
  1_000_000_000 - (await gateway.client.user.get({ id: userId })).quota;
const failure = (running: Promise<unknown>) =>
  running.then(
    () => 'no error',
    (reason: unknown) => reason,
  );

const weather: FunctionTool = {
  type: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: false,
};

async function ask(
  sdk: OpenAI,
  model: string,
  stream: boolean,
  more: object,
): Promise<ResponseObject> {
  const request = { model, tools: [weather], ...more };
  return stream
    ? sdk.responses.stream(request).finalResponse()
    : sdk.responses.create({ ...request, stream: false });
}

function callIn({ output }: ResponseObject) {
  const found = output.find((item) => item.type === 'function_call');
  if (found === undefined) throw new Error('the model called no tool');
  return found;
}

const resultOf = (response: ResponseObject) => ({
  previous_response_id: response.id,
  input: [
    { type: 'function_call_output' as const, call_id: callIn(response).call_id, output: 'sunny' },
  ],
});

async function twoTurns(sdk: OpenAI, model: string, stream: boolean): Promise<ResponseObject> {
  const first = await ask(sdk, model, stream, { input: 'Weather in Paris?' });
  return ask(sdk, model, stream, resultOf(first));
}

async function agent(apiKey: string, model: string, stream: boolean): Promise<string> {
  const openai = createOpenAI({ apiKey, baseURL: `${gateway.url}/v1` });
  const request = {
    model: openai(model),
    prompt: 'Weather in Paris?',
    stopWhen: stepCountIs(3),
    maxRetries: 0,
    tools: {
      get_weather: tool({
        inputSchema: z.object({ city: z.string() }),
        execute: async () => 'sunny',
      }),
    },
  };
  return stream ? streamText(request).text : (await generateText(request)).text;
}

const sites = {
  'two OpenAI channels': [{ wire: 'OpenAI' }, { wire: 'OpenAI' }],
  'a channel with two keys that take turns': [
    { wire: 'OpenAI', key: 'key-a\nkey-b', setting: '{"multi_key_mode":"polling"}' },
  ],
  'a Claude channel': [{ wire: 'Claude' }],
  'a Gemini channel': [{ wire: 'Gemini' }],
  'one channel of each': [{ wire: 'OpenAI' }, { wire: 'Claude' }, { wire: 'Gemini' }],
} as const;

describe.each(Object.entries(sites))('on %s', (_site, channels) => {
  it.each([false, true])("the SDK's second turn knows the first, streamed: %s", async (stream) => {
    const { model } = await modelOn(...channels);
    const { key } = await customer();
    for (let round = 0; round < 4; round++) {
      const reply = await twoTurns(client(key), model, stream);
      expect(reply.output_text).toContain('The tool said');
      expect(reply.output_text).toContain('sunny');
    }
  });

  it('is one conversation for its budget, whose turns are known wherever they are kept', async () => {
    const { model } = await modelOn(...channels);
    for (const [limits, why] of [
      [{ most_requests: 3 }, /requests|请求数/],
      [{ most_repeats: 3 }, /in circles|原地打转/],
    ] as const) {
      const { key, userId } = await customer();
      await gateway.client.budgets.create({
        owner: 'user',
        owner_id: String(userId),
        each: 'conversation',
        period: 'total',
        amount: 1_000_000_000,
        ...limits,
      });
      const question = 'Weather in Paris?';
      let last = await ask(client(key), model, false, { input: question });
      const goOn = () => {
        const called = last.output.some(({ type }) => type === 'function_call');
        const next = { previous_response_id: last.id, input: question };
        return ask(client(key), model, false, called ? resultOf(last) : next);
      };
      let stopped: unknown;
      let turns = 1;
      for (; turns < 12 && stopped === undefined; turns++)
        await goOn().then(
          (response) => {
            last = response;
          },
          (reason: unknown) => {
            stopped = reason;
          },
        );
      expect(String(stopped)).toMatch(why);
      if ('most_requests' in limits) expect(turns).toBe(4);
      // A new one is another.
      await ask(client(key), model, false, { input: 'Weather in Rome?' });
    }
  });

  it.each([false, true])(
    "Vercel's AI SDK finishes its second step, streamed: %s",
    async (stream) => {
      const { model } = await modelOn(...channels);
      const { key } = await customer();
      for (let round = 0; round < 4; round++)
        expect(await agent(key, model, stream)).toContain('sunny');
    },
  );
});

describe('what an upstream keeps', () => {
  it('is continued there with the id unchanged, with the key that made it', async () => {
    const { model, ids } = await modelOn(
      { wire: 'OpenAI' },
      { wire: 'OpenAI' },
      { wire: 'OpenAI' },
    );
    const { key } = await customer();
    for (let round = 0; round < 6; round++) {
      at('OpenAI').requests.length = 0;
      const first = await ask(client(key), model, false, { input: 'Hello' });
      await ask(client(key), model, false, resultOf(first));
      const [one, two] = at('OpenAI').requests;
      expect(two?.headers.authorization).toBe(one?.headers.authorization);
      expect(two?.json).toMatchObject(resultOf(first));
    }
    const log = (await gateway.client.log.list({ model_name: model, type: 2 })).items[0];
    expect(JSON.stringify(log?.other)).toContain('state');
    expect(ids).toContain(log?.channel);
  });

  it('is written out where its channel is disabled, deleted or fails', async () => {
    const { key } = await customer();
    for (const loss of ['disabled', 'deleted', 'failing'] as const) {
      const { model, ids } = await modelOn({ wire: 'OpenAI' });
      const first = await ask(client(key), model, false, { input: 'Weather in Paris?' });
      await gateway.addChannel({ type: 14, baseUrl: at('Claude').url, models: model });
      const [id = 0] = ids;
      if (loss === 'deleted') await gateway.client.channel.remove({ id });
      else if (loss === 'disabled') await gateway.client.channel.update({ id, status: 2 });
      else {
        await gateway.set('RetryTimes', 1);
        at('OpenAI').answer(errorReply(500, { message: 'down' }));
      }
      const second = await ask(client(key), model, false, resultOf(first));
      expect(second.output_text).toContain('sunny');
      await gateway.set('RetryTimes', 0);
      at('OpenAI').answer(statefulResponses().answer);
    }
    expect(at('Claude').requests).toHaveLength(3);
  });

  it('is continued by a request that an administrator pins to its channel, with the key that made it', async () => {
    const { model, ids } = await modelOn({
      wire: 'OpenAI',
      key: 'key-a\nkey-b\nkey-c',
      setting: '{"multi_key_mode":"polling"}',
    });
    const { key } = await gateway.client.userTokens.create({
      name: 'own',
      unlimited_quota: true,
      user: 'root',
    });
    const sdk = client(`sk-${key}-${ids[0]}`);
    const first = await ask(sdk, model, false, { input: 'Weather in Paris?' });
    await ask(sdk, model, false, resultOf(first));
    const [one, two] = at('OpenAI').requests;
    expect(two?.headers.authorization).toBe(one?.headers.authorization);
    expect(two?.json).toMatchObject({ previous_response_id: first.id });
  });

  it('is compacted with its conversation', async () => {
    const { model } = await modelOn({ wire: 'OpenAI' });
    const { key } = await customer();
    const first = await ask(client(key), model, false, { input: 'Weather in Paris?' });
    const reply = await fetch(`${gateway.url}/v1/responses/compact`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'On', previous_response_id: first.id }),
    });
    expect(reply.status).toBe(200);
    expect(at('OpenAI').requests.at(-1)).toMatchObject({
      path: '/v1/responses/compact',
      json: { previous_response_id: first.id },
    });
  });

  it('is written out where the upstream has forgotten it', async () => {
    const { model } = await modelOn({ wire: 'OpenAI' });
    const { key } = await customer();
    const first = await ask(client(key), model, false, { input: 'Weather in Paris?' });
    at('OpenAI').answer(statefulResponses().answer);
    const second = await ask(client(key), model, false, resultOf(first));
    expect(second.output_text).toContain('sunny');
    expect(at('OpenAI').requests.at(-1)?.json).not.toHaveProperty('previous_response_id');
  });

  it('is relied upon only where the upstream says that it keeps it', async () => {
    const { model } = await modelOn({ wire: 'OpenAI' });
    const { key } = await customer();
    at('OpenAI').answer(
      responsesReply([
        { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'x', arguments: '{}' },
      ]),
    );
    const first = await ask(client(key), model, false, { input: 'Weather in Paris?' });
    await ask(client(key), model, false, resultOf(first));
    expect(at('OpenAI').requests.at(-1)?.json).toMatchObject({
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Weather in Paris?' }] },
        { type: 'function_call', call_id: 'call_1' },
        { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
      ],
    });
    expect(at('OpenAI').requests.at(-1)?.json).not.toHaveProperty('previous_response_id');
  });
});

it('is continued after a restart', async () => {
  const [native, translated] = [
    await modelOn({ wire: 'OpenAI' }),
    await modelOn({ wire: 'Gemini' }),
  ];
  const { key } = await customer();
  const first = await ask(client(key), native.model, true, { input: 'Weather in Paris?' });
  const second = await ask(client(key), translated.model, true, { input: 'Weather in Paris?' });
  await gateway.restart();
  expect((await ask(client(key), native.model, false, resultOf(first))).output_text).toContain(
    'sunny',
  );
  expect(at('OpenAI').requests.at(-1)?.json).toMatchObject({ previous_response_id: first.id });
  expect((await ask(client(key), translated.model, false, resultOf(second))).output_text).toContain(
    'sunny',
  );
});

describe('who may continue a response', () => {
  it('is its owner, by any token', async () => {
    const { model } = await modelOn({ wire: 'OpenAI' });
    const [owner, other] = [await customer(), await customer()];
    const first = await ask(client(owner.key), model, false, { input: 'Weather in Paris?' });
    const requests = at('OpenAI').requests.length;
    const stolen = await failure(ask(client(other.key), model, false, resultOf(first)));
    expect(stolen).toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      type: 'invalid_request_error',
      param: 'previous_response_id',
    });
    const reference = { type: 'item_reference' as const, id: callIn(first).id ?? '' };
    const item = await failure(ask(client(other.key), model, false, { input: [reference] }));
    expect(item).toMatchObject({ status: 404, code: 'response_item_not_found', param: 'input' });
    const raw = async (input: string) => {
      const reply = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${other.key}`, 'content-type': 'application/json' },
        body: `{"model":"${model}","input":${input}}`,
      });
      return [reply.status, ((await reply.json()) as { error: { code: string } }).error.code];
    };
    const filler = `{"type":"message","role":"user","content":"${'long '.repeat(2000)}"}`;
    for (const written of [
      `{"type":"item\\u005freference","id":"${reference.id}"}`,
      `{"\\u0074ype":"item\\u005Freference","id":"${reference.id}"}`,
      `{"id":"${reference.id}"}`,
      `{ "id" : "${reference.id}" , "type" : null }`,
      `{${' '.repeat(2000)}"id"${' '.repeat(2000)}:"${reference.id}"${' '.repeat(2000)}}`,
      `{"type":null,"id":"${reference.id}"}`,
      `{"id":"${reference.id}","type":"message","type":null}`,
    ])
      for (const input of [`[${written}]`, `[${filler},${written}]`])
        expect([written, await raw(input)]).toEqual([written, [404, 'response_item_not_found']]);
    const conversation = await failure(
      ask(client(owner.key), model, false, { input: 'On', conversation: 'conv_1' }),
    );
    expect(conversation).toMatchObject({ status: 404, code: 'conversation_not_found' });
    expect(at('OpenAI').requests).toHaveLength(requests);
    expect(await spent(other.userId)).toBe(0);
  });

  it('is nobody where it was not to be stored, was deleted, or has no content and no channel', async () => {
    const { model } = await modelOn({ wire: 'OpenAI' });
    const { key } = await customer();
    const sdk = client(key);
    const notFound = { status: 400, code: 'previous_response_not_found' };
    const unstored = await ask(sdk, model, false, { input: 'Weather in Paris?', store: false });
    expect(await failure(ask(sdk, model, false, resultOf(unstored)))).toMatchObject(notFound);
    const deleted = await ask(sdk, model, false, { input: 'Weather in Paris?' });
    await sdk.responses.delete(deleted.id);
    expect(await failure(ask(sdk, model, false, resultOf(deleted)))).toMatchObject(notFound);
    await gateway.set('global.stored_responses_days', 0);
    const idOnly = await ask(sdk, model, false, { input: 'Weather in Paris?' });
    expect((await ask(sdk, model, false, resultOf(idOnly))).output_text).toContain('sunny');
    const { model: other } = await modelOn({ wire: 'Claude' });
    expect(await failure(ask(sdk, other, false, resultOf(idOnly)))).toMatchObject(notFound);
    expect(await failure(sdk.responses.retrieve(idOnly.id))).toMatchObject({ status: 404 });
    await gateway.set('global.stored_responses_days', 30);
  });
});

it('is held for and charged as any input where it is written out', async () => {
  const { model } = await modelOn({ wire: 'Claude' });
  const { key, userId } = await customer();
  // Its prompt is larger than the price of what the first user can still pay.
  const long = await ask(client(key), model, false, {
    input: `Weather in Paris? ${'word '.repeat(50_000)}`,
  });
  const before = await spent(userId);
  await gateway.client.user.update({ id: userId, quota: 1000 });
  const refused = await failure(ask(client(key), model, false, resultOf(long)));
  expect(refused).toMatchObject({ status: 403, code: 'insufficient_user_quota' });
  expect(before).toBeGreaterThan(0);
});

describe('a stored response', () => {
  it('is read, listed and deleted by its owner', async () => {
    const { model } = await modelOn({ wire: 'Claude' });
    const [owner, other] = [await customer(), await customer()];
    const sdk = client(owner.key);
    const first = await ask(sdk, model, false, {
      input: 'Weather in Paris?',
      instructions: 'Be brief',
    });
    const second = await ask(sdk, model, false, resultOf(first));
    expect(first.id).toMatch(/^resp_[A-Za-z0-9]{24}$/);
    expect(first).toMatchObject({ store: true, previous_response_id: null });
    expect(second.previous_response_id).toBe(first.id);
    const read = await sdk.responses.retrieve(first.id);
    expect(read).toMatchObject({
      id: first.id,
      status: 'completed',
      instructions: 'Be brief',
      output: first.output,
    });
    const items = await sdk.responses.inputItems.list(first.id);
    expect(items.data).toMatchObject([
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'Weather in Paris?' }],
      },
    ]);
    const { responses } = client(other.key);
    const foreign: (() => PromiseLike<unknown>)[] = [
      () => responses.retrieve(first.id),
      () => responses.inputItems.list(first.id),
      () => responses.delete(first.id),
      () => responses.cancel(first.id),
      () => sdk.responses.retrieve('resp_unknown'),
    ];
    for (const call of foreign)
      expect(await failure(Promise.resolve(call()))).toMatchObject({
        status: 404,
        code: 'response_not_found',
      });
    expect(await failure(sdk.responses.cancel(first.id))).toMatchObject({
      status: 400,
      code: 'response_not_cancellable',
    });
    expect(await failure(sdk.responses.retrieve(first.id, { stream: true }))).toMatchObject({
      status: 400,
    });
    await sdk.responses.delete(first.id);
    expect(await failure(sdk.responses.retrieve(first.id))).toMatchObject({ status: 404 });
    expect(
      await failure(ask(sdk, model, false, { previous_response_id: second.id, input: 'On' })),
    ).toMatchObject({
      code: 'previous_response_not_found',
    });
  });

  it('is deleted at the upstream that keeps it, with its key, before it is deleted here', async () => {
    const { model } = await modelOn({ wire: 'OpenAI', key: 'key-a\nkey-b' });
    const { key } = await customer();
    const sdk = client(key);
    const upstream = statefulResponses();
    at('OpenAI').answer(upstream.answer);
    const first = await ask(sdk, model, false, { input: 'Weather in Paris?' });
    expect(upstream.stored.size).toBe(1);
    at('OpenAI').answer(errorReply(500, { message: 'busy' }));
    expect(await failure(sdk.responses.delete(first.id))).toMatchObject({ status: 502 });
    at('OpenAI').answer(upstream.answer);
    expect(await sdk.responses.retrieve(first.id)).toMatchObject({ id: first.id });
    await sdk.responses.delete(first.id);
    expect(upstream.stored.size).toBe(0);
    expect(await failure(sdk.responses.retrieve(first.id))).toMatchObject({ status: 404 });
    // One that the upstream lost is deleted all the same.
    const second = await ask(sdk, model, false, { input: 'Weather in Paris?' });
    upstream.stored.clear();
    await sdk.responses.delete(second.id);
    expect(await failure(sdk.responses.retrieve(second.id))).toMatchObject({ status: 404 });
  });

  it('is not said to be stored where the site keeps no contents', async () => {
    const { model } = await modelOn({ wire: 'Claude' });
    const { key } = await customer();
    await gateway.set('global.stored_responses_days', 0);
    for (const stream of [false, true])
      expect(
        await ask(client(key), model, stream, { input: 'Weather in Paris?', store: true }),
      ).toMatchObject({ store: false });
    await gateway.set('global.stored_responses_days', 30);
    expect(
      await ask(client(key), model, false, { input: 'Weather in Paris?', store: true }),
    ).toMatchObject({ store: true });
  });

  it('lists its input by pages', async () => {
    const { model } = await modelOn({ wire: 'OpenAI' });
    const { key } = await customer();
    const sdk = client(key);
    const input = Array.from({ length: 45 }, (_, index) => ({
      role: 'user' as const,
      content: `Text ${index}`,
    }));
    const { id } = await ask(sdk, model, false, { input });
    const seen: string[] = [];
    for await (const item of sdk.responses.inputItems.list(id, { order: 'asc', limit: 10 }))
      seen.push(JSON.stringify(item));
    expect(seen).toHaveLength(45);
    expect(seen[0]).toContain('"Text 0"');
    expect(seen[44]).toContain('"Text 44"');
    const newest = await sdk.responses.inputItems.list(id);
    expect(newest.data).toHaveLength(20);
    expect(JSON.stringify(newest.data[0])).toContain('Text 44');
    expect(
      await failure(Promise.resolve(sdk.responses.inputItems.list(id, { limit: 101 }))),
    ).toMatchObject({ status: 400 });
  });
});
