/**
 * Streams that fail at every event before the first word, for callers of all formats over upstreams
 * of all wires: the second channel serves, and is all that is charged
 * (docs/rules/streams.md#reply-begins).
 */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { awsFrame, eventFrame } from '../../../support/aws-frames.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { sse, type Wire } from '../../../support/half-answers.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../../support/upstream.ts';
import { callers, errors, models, openings, types } from './openings.ts';

interface Upstream {
  readonly channel: Record<string, unknown>;
  readonly model: string;
  readonly contentType: string;
  /** The events before the first word. */
  readonly opening: readonly (string | Buffer)[];
  /** An error in the stream. */
  readonly error: string | Buffer;
}

const eventStream = 'text/event-stream';
const ofWire = (wire: Wire): Upstream => ({
  channel: {
    type: types[wire],
    setting: JSON.stringify(types[wire] === 1 ? { use_responses: wire === 'responses' } : {}),
  },
  model: models[wire],
  contentType: eventStream,
  opening: openings[wire].map((event) => sse(event)),
  error: sse(errors[wire]),
});

const exception = awsFrame(
  { ':message-type': 'exception', ':exception-type': 'modelStreamErrorException' },
  JSON.stringify({ message: 'overloaded' }),
);
const line = (value: object) => `${JSON.stringify(value)}\n`;
const aws = { contentType: 'application/vnd.amazon.eventstream', error: exception };
const key = 'AKIDEXAMPLE|secret|us-east-1';
const ollamaChunk = { model: 'llama3', created_at: '2026-01-01T00:00:00Z', done: false };

const upstreams: Readonly<Record<string, Upstream>> = {
  chat: ofWire('chat'),
  messages: ofWire('messages'),
  gemini: ofWire('gemini'),
  responses: ofWire('responses'),
  cohere: ofWire('cohere'),
  'Bedrock, invoke': {
    ...aws,
    channel: { type: 33, key },
    model: 'claude-3-haiku-20240307',
    opening: openings.messages.map((event) => eventFrame(event)),
  },
  'Bedrock, Converse': {
    ...aws,
    channel: { type: 33, key },
    model: 'nova-lite-v1:0',
    opening: [
      eventFrame({ role: 'assistant' }, 'messageStart'),
      eventFrame(
        { contentBlockIndex: 0, start: { toolUse: { toolUseId: 't', name: 'look' } } },
        'contentBlockStart',
      ),
      eventFrame({ contentBlockIndex: 0, delta: { toolUse: { input: '' } } }, 'contentBlockDelta'),
    ],
  },
  Ollama: {
    channel: { type: 4, setting: JSON.stringify({ native_api: true }) },
    model: 'llama3',
    contentType: 'application/x-ndjson',
    opening: [line({ ...ollamaChunk, message: { role: 'assistant', content: '' } })],
    error: line({ error: 'overloaded' }),
  },
};

const half = (whole: string | Buffer) => whole.slice(0, Math.floor(whole.length * 0.7));
const failures: Readonly<Record<string, (reply: ServerResponse, upstream: Upstream) => void>> = {
  'an error': (reply, { error }) => reply.end(error),
  'a reset': (reply) => reply.destroy(),
  'a clean end': (reply) => reply.end(),
  'half an event': (reply, { error }) => reply.end(half(error)),
  'half an event and a reset': (reply, { error }) =>
    reply.write(half(error), () => reply.destroy()),
};

let gateway: TestGateway;
let failing: TestUpstream;
let spare: TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway();
  [failing, spare] = await Promise.all([startUpstream(), startUpstream()]);
  await gateway.set('RetryTimes', 1);
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.set('AutomaticDisableChannelEnabled', false);
  await gateway.addChannel({
    type: 1,
    baseUrl: spare.url,
    models: Object.values(upstreams)
      .map(({ model }) => model)
      .join(','),
    setting: JSON.stringify({ use_responses: false }),
  });
  spare.answer(chatReply('from the spare'));
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([failing.close(), spare.close()]);
});

async function failAfter(upstream: Upstream, count: number, failure: string) {
  failing.answer(async (reply) => {
    reply.writeHead(200, { 'content-type': upstream.contentType });
    reply.flushHeaders();
    for (const event of upstream.opening.slice(0, count)) {
      await new Promise((written) => reply.write(event, written));
      await new Promise(setImmediate);
    }
    failures[failure]?.(reply, upstream);
  });
  // Afresh: its circuit would open soon.
  return gateway.addChannel({
    type: 1,
    baseUrl: failing.url,
    models: upstream.model,
    priority: 1,
    ...upstream.channel,
  });
}

const formats: readonly Wire[] = ['chat', 'messages', 'gemini', 'responses', 'cohere'];
const cases = formats.flatMap((caller) =>
  Object.keys(upstreams).map((upstream) => [caller, upstream] as const),
);

it.each(cases)(
  'a caller of %s, from %s, is served by another channel whatever fails before the first word',
  async (caller, name) => {
    const upstream = upstreams[name] as Upstream;
    const quota = 10_000_000;
    const { key: token, username, userId } = await gateway.addCustomer(quota);
    let asked = 0;
    for (const failure of Object.keys(failures))
      for (let count = 0; count <= upstream.opening.length; count++) {
        const id = await failAfter(upstream, count, failure);
        const { path, body } = callers[caller](upstream.model);
        const reply = await fetch(gateway.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const text = await reply.text();
        const where = `${failure} after ${count} events`;
        expect(text.replaceAll(/[^a-z]/g, ''), where).toMatch(/from.*the.*spare/);
        expect(text, where).not.toContain('overloaded');
        expect(text.match(/overload|upstream_cut/g), where).toBeNull();
        asked += 1;
        await gateway.client.channel.remove({ id });
      }
    const { items } = await gateway.client.log.list({ username, type: 2, page_size: 100 });
    expect(items).toHaveLength(asked);
    for (const { other } of items)
      expect(readLogOther(other).admin_info?.route).toMatchObject([{}, { status: 200 }]);
    const [charge] = new Set(items.map((item) => item.quota));
    expect(new Set(items.map((item) => item.quota)).size).toBe(1);
    const { quota: left } = await gateway.client.user.get({ id: userId });
    expect(quota - left).toBe(asked * (charge ?? 0));
    expect(charge).toBeGreaterThan(0);
  },
);
