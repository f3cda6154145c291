/**
 * Run as a process of its own: the gateway under one hostile load, and how far its memory grew.
 * Prints one line of JSON, a {@link Measured}. Argument: the name of a scenario.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip, createZstdCompress } from 'node:zlib';
import { startTestGateway } from '../../../support/gateway.ts';

export interface Measured {
  /** Growth of the resident set in MB, at its peak. */
  readonly grownMb: number;
  readonly statuses: readonly number[];
  readonly replies: readonly string[];
  /** What the customer was charged. */
  readonly charged: number;
}

interface Load {
  readonly requests: number;
  readonly path?: string;
  readonly quota?: number;
  readonly headers?: Record<string, string>;
  readonly environment?: Record<string, string>;
  readonly body: string | Buffer;
  readonly answer?: (response: ServerResponse) => void;
}

const megabyte = 1024 * 1024;
const defaultQuota = 1_000_000_000;

const chat = (fields: object = {}) =>
  JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...fields });
const messages = (fields: object = {}) => chat({ max_tokens: 100, ...fields });
const chatEnds = ['{"model":"gpt-4o","messages":[{"role":"user","content":"', '"}]}'] as const;
const replyEnds = [
  '{"id":"a","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"',
  '"},"finish_reason":"stop"}]}',
] as const;

/**
 * `filler` between two ends, a text of `size` MB, compressed piece by piece: this process must not
 * grow by it.
 */
async function packed(
  [head, tail]: readonly [string, string],
  size: number,
  filler: string | Buffer = 'a ',
  pack: Transform = createGzip(),
) {
  const text = function* (): Generator<Buffer> {
    yield Buffer.from(head);
    const piece = Buffer.concat(
      Array.from({ length: Math.ceil(megabyte / filler.length) }, () => Buffer.from(filler)),
    );
    for (let index = 0; index < size; index++) yield piece;
    yield Buffer.from(tail);
  };
  return buffer(Readable.from(text()).pipe(pack));
}

/** Text that compresses to about a thirtieth, as real text may at best. */
function words(): Buffer {
  const list = Array.from(
    { length: 2000 },
    (_, index) => `word${(index * 7919) % 2003} of ${index}`,
  );
  return Buffer.from(list.join(' '));
}

/** A stream whose second event never ends. */
function endlessLine(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(
    'data: {"id":"a","choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\ndata: {"choices":[{"delta":{"content":"',
  );
  const piece = Buffer.alloc(megabyte, 'a');
  let sent = 0;
  const more = (): void => {
    while (sent < 300 && !response.destroyed) {
      sent += 1;
      if (!response.write(piece)) return void response.once('drain', more);
    }
    if (!response.destroyed) response.end('"}}]}\n\ndata: [DONE]\n\n');
  };
  more();
}

async function packedReply(
  ...text: Parameters<typeof packed>
): Promise<(response: ServerResponse) => void> {
  const bytes = await packed(...text);
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(bytes);
  };
}

const bigReply = () => packedReply(replyEnds, 300);
/** Each three bytes become fifty or more once they are parsed. */
const objects = (size: number) => packedReply(['{"id":"a","choices":[', '{}]}'], size, '{},');
const gzip = { 'content-encoding': 'gzip' };

const loads: Readonly<Record<string, () => Promise<Load>>> = {
  'bombs without balance': async () => ({
    requests: 12,
    quota: 0,
    headers: gzip,
    body: await packed(chatEnds, 120),
  }),
  'texts without balance': async () => ({
    requests: 12,
    quota: 0,
    headers: gzip,
    body: await packed(chatEnds, 60, words()),
  }),
  'zstd bombs': async () => ({
    requests: 12,
    headers: { 'content-encoding': 'zstd' },
    body: await packed(chatEnds, 120, 'a ', createZstdCompress()),
  }),
  'packed texts': async () => ({
    requests: 12,
    headers: gzip,
    environment: { MAX_USER_BODY_MEMORY_MB: '128' },
    body: await packed(chatEnds, 60, words()),
  }),
  'endless lines, forwarded': async () => ({
    requests: 6,
    body: chat({ stream: true }),
    answer: endlessLine,
  }),
  'endless lines, translated': async () => ({
    requests: 6,
    path: '/v1/messages',
    body: messages({ stream: true }),
    answer: endlessLine,
  }),
  'packed replies, forwarded': async () => ({
    requests: 4,
    body: chat(),
    answer: await bigReply(),
  }),
  'packed replies, translated': async () => ({
    requests: 4,
    path: '/v1/messages',
    body: messages(),
    answer: await bigReply(),
  }),
  'replies of objects, forwarded': async () => ({
    requests: 2,
    body: chat(),
    answer: await objects(45),
  }),
  'replies of objects, translated': async () => ({
    requests: 2,
    path: '/v1/messages',
    body: messages(),
    answer: await objects(45),
  }),
};

/** The peak of the resident set since the last call, in bytes; Linux only. */
function resetPeak(): number {
  const peak =
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) * 1024;
  writeFileSync('/proc/self/clear_refs', '5');
  return peak;
}

async function startUpstream(answer: Load['answer']) {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (answer !== undefined) return answer(response);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        `${replyEnds.join('ok').slice(0, -1)},"usage":{"prompt_tokens":10,"completion_tokens":1,"total_tokens":11}}`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function measure(name: string): Promise<Measured> {
  const load = await loads[name]?.();
  if (load === undefined) throw new Error(`no scenario ${name}`);
  const gateway = await startTestGateway({ ...load.environment });
  await gateway.addChannel({
    type: 1,
    baseUrl: await startUpstream(load.answer),
    models: 'gpt-4o',
  });
  const { key, userId } = await gateway.addCustomer(load.quota ?? defaultQuota);
  const { body } = load;
  const send = async () => {
    const reply = await fetch(`${gateway.url}${load.path ?? '/v1/chat/completions'}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'accept-language': 'en',
        ...load.headers,
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    return { status: reply.status, text: await reply.text() };
  };
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  resetPeak();
  const replies = await Promise.all(Array.from({ length: load.requests }, send));
  const peak = resetPeak();
  const { quota } = await gateway.client.user.get({ id: userId });
  await gateway.close();
  return {
    grownMb: Math.round((peak - before) / megabyte),
    statuses: replies.map(({ status }) => status),
    replies: replies.map(({ text }) => text.slice(-600)),
    charged: (load.quota ?? defaultQuota) - quota,
  };
}

console.log(JSON.stringify(await measure(process.argv[2] ?? '')));
process.exit(0);
