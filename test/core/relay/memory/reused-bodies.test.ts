/**
 * Bodies lie in memory that is used again (docs/rules/relay.md#body-memory): an upstream never
 * receives a byte of another caller's body, however a request ends.
 */
import { request as httpRequest } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  chatReply,
  chatStream,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

const megabyte = 1024 * 1024;

/** A chat whose text is one letter, so that a byte of another body shows. */
function chat(letter: string, size: number, model = 'gpt-4o', fields: object = {}): string {
  return JSON.stringify({
    model,
    messages: [{ role: 'user', content: letter.repeat(size) }],
    ...fields,
  });
}

/** The letters of the texts that arrived; one where nothing is mixed. */
function lettersOf(text: string): string {
  let rest = /"content":"([^"]*)"/.exec(text)?.[1] ?? text;
  const letters: string[] = [];
  for (let letter = rest[0]; letter !== undefined; letter = rest[0]) {
    letters.push(letter);
    rest = rest.replaceAll(letter, '');
  }
  return letters.sort().join('');
}

/** Replies as soon as the head of a request is there, and reads its body when it is allowed to. */
class HastyUpstream {
  readonly #sockets = new Set<Socket>();
  /** What arrived on each connection. */
  readonly received: Buffer[][] = [];
  readonly #server = createServer((socket) => {
    const chunks: Buffer[] = [];
    this.received.push(chunks);
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (head: Buffer) => {
      chunks.push(head);
      socket.pause();
      const reply = JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        model: 'm',
        choices: [
          { index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      });
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${reply.length}\r\n\r\n${reply}`,
      );
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.pause();
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  read(): void {
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

describe('bodies in memory that is used again', () => {
  let gateway: TestGateway;
  let upstream: TestUpstream;
  let second: TestUpstream;
  let hasty: HastyUpstream;
  let key: string;

  beforeAll(async () => {
    gateway = await startTestGateway({ MAX_REQUEST_BODY_MB: '16' });
    upstream = await startUpstream();
    second = await startUpstream();
    hasty = new HastyUpstream();
    await gateway.addChannel({
      type: 1,
      baseUrl: upstream.url,
      models: 'gpt-4o,shared',
      priority: 10,
    });
    await gateway.addChannel({ type: 1, baseUrl: second.url, models: 'shared', priority: 1 });
    await gateway.addChannel({ type: 1, baseUrl: await hasty.listen(), models: 'gpt-4.1' });
    await gateway.set('RetryTimes', 2);
    await gateway.set('ModelRatio', { 'gpt-4o': 1, 'gpt-4.1': 1, shared: 1 });
    key = (await gateway.addCustomer(1_000_000_000)).key;
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([upstream.close(), second.close()]);
    hasty.close();
  });
  beforeEach(() => {
    for (const { requests } of [upstream, second]) requests.length = 0;
    upstream.answer(chatReply());
    second.answer(chatReply());
  });

  async function post(body: string): Promise<number> {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    });
    await reply.text();
    return reply.status;
  }

  it('an upstream that replies early and reads late gets the body that was sent to it', async () => {
    const size = 7.9 * megabyte;
    expect(await post(chat('a', size, 'gpt-4.1'))).toBe(200);
    for (const letter of ['b', 'c', 'd']) expect(await post(chat(letter, size))).toBe(200);
    expect(upstream.requests.map(({ text }) => lettersOf(text))).toEqual(['b', 'c', 'd']);
    hasty.read();
    const arrived = () => Buffer.concat(hasty.received[0] ?? []);
    await expect.poll(() => arrived().length, { timeout: 30_000 }).toBeGreaterThan(size / 2);
    const [, body = ''] = arrived().toString('latin1').split('\r\n\r\n');
    expect(
      [...new Set(body.replace(/^.*?"content":"/, ''))].filter((letter) => /[b-d]/.test(letter)),
    ).toEqual([]);
  });

  it('is sent whole to another channel after the first one failed', async () => {
    upstream.answer((response) => void response.destroy());
    for (const letter of ['a', 'b', 'c'])
      expect(await post(chat(letter, 200_000, 'shared'))).toBe(200);
    expect(second.requests.map(({ text }) => [lettersOf(text), text.length])).toEqual(
      ['a', 'b', 'c'].map((letter) => [letter, chat(letter, 200_000, 'shared').length]),
    );
  });

  it('many at once, plain and edited, keep their own text', async () => {
    upstream.answer((response, received) =>
      (received.json['stream'] === true ? chatStream(['hi']) : chatReply())(response, received),
    );
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const sizes = [20_000, 100_000, 100_001, 400_000];
    const bodies = letters.flatMap((letter, index) =>
      // A stream gets `stream_options`, which is written into a copy of the body.
      [
        chat(
          letter,
          sizes[index % sizes.length] ?? 0,
          'gpt-4o',
          index % 2 === 0 ? {} : { stream: true },
        ),
      ],
    );
    for (let round = 0; round < 4; round++) {
      upstream.requests.length = 0;
      expect(new Set(await Promise.all(bodies.map(post)))).toEqual(new Set([200]));
      expect(upstream.requests.map(({ text }) => lettersOf(text)).sort()).toEqual(letters);
      for (const { json } of upstream.requests) expect(json['messages']).toHaveLength(1);
    }
  });

  /** Announces 400,000 bytes, sends half of them and leaves. */
  function leaveWhileSending(): Promise<void> {
    return new Promise((resolve) => {
      const request = httpRequest(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'content-length': '400000',
        },
      });
      request.on('error', () => resolve());
      request.on('close', () => resolve());
      request.write(chat('x', 400_000).slice(0, 200_000), () =>
        setTimeout(() => request.destroy(), 5),
      );
    });
  }

  it('a client that leaves, while it sends or while it waits, leaves nothing in the next body', async () => {
    for (const letter of ['a', 'b', 'c']) {
      await leaveWhileSending();
      upstream.answer(() => undefined);
      await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: chat('y', 399_000),
        signal: AbortSignal.timeout(50),
      }).catch(() => undefined);
      upstream.answer(chatReply());
      upstream.requests.length = 0;
      expect(await post(chat(letter, 399_500))).toBe(200);
      // The call that was given up may arrive after its successor.
      const texts = upstream.requests
        .map(({ text }) => text)
        .filter((text) => lettersOf(text) !== 'y');
      expect(texts).toEqual([chat(letter, 399_500)]);
    }
  });

  it('a body that ends early is not filled up with an earlier one', async () => {
    expect(await post(chat('a', 300_000))).toBe(200);
    upstream.requests.length = 0;
    const status = await new Promise<number>((resolve) => {
      const request = httpRequest(
        `${gateway.url}/v1/chat/completions`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'content-length': '300060',
          },
        },
        (reply) => resolve(reply.resume().statusCode ?? 0),
      );
      request.on('error', () => resolve(0));
      request.write(chat('b', 1000));
      setTimeout(() => request.destroy(), 50);
    });
    expect(status).toBe(0);
    expect(await post('{"model":"gpt-4o","messages":[]}')).not.toBe(0);
    expect(upstream.requests.filter(({ text }) => text.includes('aaa'))).toEqual([]);
  });

  it('frames of a Responses socket keep their own text', async () => {
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/responses`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    for (const letter of ['a', 'b', 'c']) {
      const ended = new Promise<void>((resolve) => {
        socket.on('message', (data: Buffer) => {
          if (/"type":"(response\.(completed|failed|incomplete)|error)"/.test(data.toString()))
            resolve();
        });
      });
      const input = [{ role: 'user', content: letter.repeat(100_000) }];
      socket.send(JSON.stringify({ type: 'response.create', model: 'gpt-4o', input }));
      await ended;
      expect(lettersOf(upstream.requests.at(-1)?.text ?? '')).toBe(letter);
    }
    socket.close();
  });
});
