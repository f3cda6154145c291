/** A gateway with realtime upstreams, and the cost of its sessions. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { readLogOther } from '../../src/core/contract/log-other.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { openSocket, type SocketClient } from './socket-client.ts';
import {
  type SocketUpstream,
  startSocketUpstream,
  type UpstreamConnection,
} from './socket-upstream.ts';
import { errorReply, startUpstream, type TestUpstream } from './upstream.ts';

/** 2.5 quota per token; output × 4, cached × 0.5, audio × 8, audio output another × 2. */
export const model = 'gpt-4o-realtime-preview';

/**
 * Input: 20 text tokens (10 cached) and 80 audio tokens (30 cached); output: 40 text and 60 audio
 * tokens.
 */
export const usage = {
  total_tokens: 200,
  input_tokens: 100,
  output_tokens: 100,
  input_token_details: {
    cached_tokens: 40,
    text_tokens: 20,
    audio_tokens: 80,
    cached_tokens_details: { text_tokens: 10, audio_tokens: 30 },
  },
  output_token_details: { text_tokens: 40, audio_tokens: 60 },
};
/** (10 + 40 × 0.5 + 50 × 8 + 40 × 4 + 60 × 8 × 2) × 2.5 */
export const cost = 3875;

export const session = {
  id: 'sess_1',
  object: 'realtime.session',
  model: 'upstream-model',
  modalities: ['text', 'audio'],
};
export const greet = (connection: UpstreamConnection) =>
  connection.send({ type: 'session.created', event_id: 'event_1', session });

export const created = (id: string) => ({
  type: 'response.created',
  response: { id, status: 'in_progress', usage: null },
});
export const done = (id: string, told: object | null = usage, status = 'completed') => ({
  type: 'response.done',
  response: { id, status, usage: told },
});
export const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

export interface RealtimeBench {
  readonly gateway: TestGateway;
  /** Sends a greeting on connection, unless the test scripts it otherwise. */
  readonly upstream: SocketUpstream;
  address(name?: string): string;
  /** Opens a session and waits for the greeting. */
  start(key: string): Promise<{ client: SocketClient; server: UpstreamConnection }>;
  quotaOf(userId: number): Promise<number>;
  logsOf(
    username: string,
  ): Promise<readonly (LogRow & { readonly parsed: ReturnType<typeof readLogOther> })[]>;
  isHeld(key: string): Promise<boolean>;
  /** Asserts that nothing is held any more. */
  expectSettled(customer: { readonly key: string }): Promise<void>;
}
type LogRow = Awaited<ReturnType<TestGateway['client']['log']['list']>>['items'][number];

/** `STREAMING_TIMEOUT`: seconds of silence that end an answer under way. */
export function createRealtimeBench(settings = { STREAMING_TIMEOUT: '2' }): RealtimeBench {
  let gateway: TestGateway;
  let upstream: SocketUpstream;
  let chats: TestUpstream;
  beforeAll(async () => {
    gateway = await startTestGateway(settings);
    upstream = await startSocketUpstream();
    chats = await startUpstream();
    chats.answer(errorReply(400, { message: 'no' }));
    await gateway.addChannel({ type: 1, baseUrl: chats.url, models: 'gpt-4' });
    await gateway.addChannel({
      type: 1,
      baseUrl: upstream.url,
      models: `${model},gpt-4o-mini-realtime-preview`,
    });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
    await chats.close();
  });
  beforeEach(() => {
    upstream.connections.length = 0;
    upstream.script({ connect: greet });
  });
  const address = (name = model) =>
    `${gateway.url.replace('http', 'ws')}/v1/realtime?model=${name}`;
  /**
   * Whether anything is held: a request beyond the balance is only admitted (with a small hold)
   * while nothing is held.
   */
  const isHeld = async (key: string): Promise<boolean> => {
    const body = JSON.stringify({
      model: 'gpt-4',
      max_tokens: 1_000_000,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const { status } = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body,
    });
    expect([400, 429]).toContain(status);
    return status === 429;
  };
  return {
    get gateway() {
      return gateway;
    },
    get upstream() {
      return upstream;
    },
    address,
    start: async (key) => {
      const client = await openSocket(address(), bearer(key));
      expect(await client.next()).toMatchObject({ type: 'session.created' });
      const server = upstream.connections.at(-1);
      if (server === undefined) throw new Error('no upstream connection');
      return { client, server };
    },
    quotaOf: async (userId) => (await gateway.client.user.get({ id: userId })).quota,
    logsOf: async (username) => {
      const { items } = await gateway.client.log.list({ username, type: 2 });
      return items.map((log) => ({ ...log, parsed: readLogOther(log.other) }));
    },
    isHeld,
    expectSettled: async ({ key }) => {
      await expect.poll(() => isHeld(key)).toBe(false);
    },
  };
}
