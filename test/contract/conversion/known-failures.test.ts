// Covers src/core/models/failures.
/**
 * What vendors write of prompts that are too long, of content that they hold back and of accounts at
 * their end, as the clients of each format read it: whole, in the place of a stream, as the first
 * event of one and amid one (docs/rules/relay.md#known-failures).
 */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callers, callersBothWays, question } from '../../support/five-callers.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { chatReply, sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import {
  claudeEvents,
  failingVendors,
  responsesEvents,
  type Topic,
  type Vendor,
} from './failing-vendors.ts';

/** The errors by which the clients of a format know what happened. */
const read: Readonly<Record<Exclude<Caller, 'Responses'>, Readonly<Record<Topic, object>>>> = {
  chat: {
    context: {
      error: {
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        message: expect.stringMatching(/maximum context length|context window/),
      },
    },
    content: {
      error: {
        type: 'invalid_request_error',
        code: expect.stringMatching(/^(content_filter|invalid_prompt|cyber_policy)$/),
      },
    },
    account: { error: { type: 'new_api_error', code: 'upstream_unauthorized' } },
  },
  messages: {
    context: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: expect.stringMatching(/prompt is too long/),
      },
    },
    content: { type: 'error', error: { type: 'invalid_request_error' } },
    account: { type: 'error', error: { type: 'api_error' } },
  },
  Gemini: {
    context: {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: expect.stringMatching(
          /input token count.*exceeds the maximum number of tokens allowed/,
        ),
      },
    },
    content: { error: { code: 400, status: 'INVALID_ARGUMENT' } },
    account: { error: { code: 502, status: 'INTERNAL' } },
  },
  Cohere: {
    context: { message: expect.stringMatching(/too many tokens: size limit exceeded/) },
    content: { message: expect.any(String) },
    account: { message: expect.any(String) },
  },
};
const expected = (caller: Caller, topic: Topic) =>
  read[caller === 'Responses' ? 'chat' : caller][topic];

let gateway: TestGateway;
let upstream: TestUpstream;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.set('AutomaticDisableChannelEnabled', false);
  await gateway.set('RetryTimes', 0);
  key = (await gateway.addCustomer(1_000_000_000)).key;
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

async function call(caller: Caller, model: string, stream: boolean): Promise<Response> {
  const { path, body } = question(caller, model, stream);
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'accept-language': 'en',
    },
    body: JSON.stringify(body),
  });
}

/** A channel of its own: one that refused may be in a cool-down. */
async function withChannel<T>(vendor: Vendor, use: () => Promise<T>): Promise<T> {
  const { type, model, key: credentials, other, setting } = vendor;
  const id = await gateway.addChannel({
    type,
    baseUrl: upstream.url,
    models: model,
    ...(credentials === undefined ? {} : { key: credentials }),
    ...(other === undefined ? {} : { other }),
    ...(setting === undefined ? {} : { setting: JSON.stringify(setting) }),
  });
  try {
    return await use();
  } finally {
    await gateway.client.channel.remove({ id });
  }
}

const cases = failingVendors.flatMap((vendor) =>
  (Object.keys(vendor.failures) as Topic[]).map((topic) => ({
    vendor,
    topic,
    title: `${vendor.name}, ${topic}`,
  })),
);

/** Words of ours that would send callers to look for a fault of their own. */
const blame = /api key|credit|balance|quota|billing|arrears|欠费|token included/i;

describe('with a status', () => {
  it.each(cases)('$title', async ({ vendor, topic }) => {
    const [status, body, headers] = vendor.failures[topic] ?? [500, {}];
    upstream.answer((response) => sendJson(response, status, body, headers));
    const check = async (caller: Caller, stream: boolean) => {
      const reply = await call(caller, vendor.model, stream);
      const got = await reply.json();
      expect(got, caller).toMatchObject(expected(caller, topic));
      expect(reply.status, caller).toBe(topic === 'account' ? 502 : 400);
      expect(reply.headers.get('x-should-retry'), caller).toBe('false');
      if (topic === 'account') expect(JSON.stringify(got), caller).not.toMatch(blame);
    };
    await withChannel(vendor, () =>
      Promise.all(callersBothWays.map(([caller, stream]) => check(caller, stream))),
    );
  });
});

/** Vendors that check credentials before a stream begins, and report in it no more than a text. */
const checkedBefore = ['Bedrock', 'Bedrock, Converse', 'Cohere'];
const streamed = cases.filter(
  ({ vendor, topic }) =>
    vendor.stream !== undefined && !(topic === 'account' && checkedBefore.includes(vendor.name)),
);

/** What a vendor streams after 200, on the wire that was chosen; `word`: after some of the answer. */
function sendStream({ vendor, topic }: (typeof cases)[number], afterWord: boolean): void {
  const [, body] = vendor.failures[topic] ?? [500, {}];
  upstream.answer((response, { path, json }) => {
    let stream = vendor.stream;
    if (path.endsWith('/messages')) stream = claudeEvents;
    else if ('input' in json) stream = responsesEvents;
    const [word, error] = stream?.(body) ?? ['', ''];
    const isFrame = Buffer.isBuffer(error);
    const type = isFrame
      ? 'application/vnd.amazon.eventstream'
      : ((stream === vendor.stream ? vendor.streamType : undefined) ?? 'text/event-stream');
    response.writeHead(200, { 'content-type': type });
    if (afterWord) response.write(word);
    response.end(error);
  });
}

describe('as the first event of a stream', () => {
  it.each(streamed)('$title', async (one) => {
    sendStream(one, false);
    const { vendor, topic } = one;
    const check = async (caller: Caller) => {
      const reply = await call(caller, vendor.model, true);
      expect(await reply.json(), caller).toMatchObject(expected(caller, topic));
      expect(reply.status, caller).toBe(topic === 'account' ? 502 : 400);
    };
    await withChannel(vendor, () => Promise.all(callers.map(check)));
  });
});

/** All that came of a stream, also where the connection is cut after it, as Cohere's callers need. */
function streamOf(caller: Caller, model: string): Promise<string> {
  const { path, body } = question(caller, model, true);
  return new Promise((resolve, reject) => {
    const sent = request(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    sent.on('error', reject);
    sent.on('response', (reply) => {
      let text = '';
      expect(reply.statusCode).toBe(200);
      reply.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      reply.on('error', () => undefined).on('close', () => resolve(text));
    });
    sent.end(JSON.stringify(body));
  });
}

interface StreamedError {
  readonly type?: string;
  readonly error?: object;
  readonly response?: { readonly error?: object };
  readonly delta?: { readonly finish_reason?: string; readonly error?: string };
}

/** The error of a stream as the body of a whole reply has it, without what its format leaves out. */
function errorOfStream(caller: Caller, text: string): object {
  const values = [...text.matchAll(/^data: (\{.*\})\s*$/gm)].map(
    ([, json]) => JSON.parse(json ?? '') as StreamedError,
  );
  const last = values.at(-1);
  if (caller === 'Responses') {
    expect(last?.type).toBe('response.failed');
    return { error: last?.response?.error };
  }
  if (caller === 'Cohere') {
    expect(last?.delta?.finish_reason).toBe('ERROR');
    return { message: last?.delta?.error };
  }
  return last ?? {};
}

/** Codes and messages; `response.failed` has no type. */
function expectedAmid(caller: Caller, topic: Topic): object {
  const whole = expected(caller, topic) as { readonly error?: Record<string, unknown> };
  if (caller !== 'Responses' || whole.error === undefined) return whole;
  const { type, ...error } = whole.error;
  return type === undefined ? whole : { error };
}

describe('amid a stream', () => {
  it.each(streamed)('$title', async (one) => {
    sendStream(one, true);
    const { vendor, topic } = one;
    const check = async (caller: Caller) => {
      const text = await streamOf(caller, vendor.model);
      expect(text, caller).toContain('Well');
      expect(errorOfStream(caller, text), caller).toMatchObject(expectedAmid(caller, topic));
      if (topic === 'account') expect(text, caller).not.toMatch(blame);
    };
    await withChannel(vendor, () => Promise.all(callers.map(check)));
  });
});

it('a key that is none is nobody’s fault but the channel’s, and is not tried again', async () => {
  const bedrock = failingVendors.find(({ name }) => name === 'Bedrock') as Vendor;
  await withChannel({ ...bedrock, key: 'AKIDEXAMPLE' }, async () => {
    for (const [caller, stream] of callersBothWays) {
      const reply = await call(caller, bedrock.model, stream);
      expect([reply.status, reply.headers.get('x-should-retry')], caller).toEqual([502, 'false']);
      expect(await reply.text(), caller).not.toContain('AKIDEXAMPLE');
    }
  });
});

describe('an account at its end is not the end of the request', () => {
  let spare: TestUpstream;
  beforeAll(async () => {
    spare = await startUpstream();
    await gateway.set('RetryTimes', 1);
  });
  afterAll(async () => {
    await gateway.set('RetryTimes', 0);
    await spare.close();
  });

  it.each(cases.filter(({ topic }) => topic === 'account'))('$title', async ({ vendor, topic }) => {
    const [status, body, headers] = vendor.failures[topic] ?? [500, {}];
    upstream.answer((response) => sendJson(response, status, body, headers));
    spare.answer(chatReply('from the spare'));
    const setting = JSON.stringify({ use_responses: false });
    const fields = { type: 1, baseUrl: spare.url, models: vendor.model, priority: -1, setting };
    const id = await gateway.addChannel(fields);
    await withChannel(vendor, async () => {
      const reply = await call('chat', vendor.model, false);
      expect(await reply.text()).toContain('from the spare');
    });
    await gateway.client.channel.remove({ id });
  });
});

describe('a prompt that Gemini blocks', () => {
  it.each(callers.filter((caller) => caller !== 'Gemini'))('%s', async (caller) => {
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
    upstream.answer((response, { path }) => {
      if (path.includes(':generateContent')) return sendJson(response, 200, blocked);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(blocked)}\n\n`);
    });
    const gemini = failingVendors.find(({ name }) => name === 'Gemini') as Vendor;
    const [whole, streamed] = await withChannel(gemini, async () => {
      const replies = [];
      for (const stream of [false, true]) {
        const reply = await call(caller, gemini.model, stream);
        replies.push({ status: reply.status, text: await reply.text() });
      }
      return replies;
    });
    const withoutId = (text?: string) => text?.replace(/request id: \w+/, '');
    expect(whole?.status).toBe(400);
    expect(JSON.parse(whole?.text ?? '')).toMatchObject(expected(caller, 'content'));
    expect(whole?.text).toContain('PROHIBITED_CONTENT');
    expect(withoutId(streamed?.text)).toBe(withoutId(whole?.text));
  });
});
