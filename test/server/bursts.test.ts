/**
 * Bursts of requests whose clients leave within milliseconds: none of them stays, and the gateway
 * stops at once.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { errorReply, startUpstream } from '../support/upstream.ts';

const metricsToken = 'metrics';
/** Connections of one burst, and the longest that one of them waits, in ms. */
const size = 60;
const longest = 20;

const leaves = ['destroy', 'resetAndDestroy'] as const;

function requestText(key: string, content: string): string {
  const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] });
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: gateway',
    `authorization: Bearer ${key}`,
  ];
  return [
    ...head,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

async function sendAndLeave(port: number, text: string, index: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  if (index % 3 > 0) await sleep(index % longest);
  const gone = once(socket, 'close');
  socket[leaves[index % leaves.length] ?? 'destroy']();
  await gone;
}

async function activeRequests({ url }: TestGateway): Promise<number> {
  const reply = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  });
  return Number(/^turnpike_requests_active (\d+)/m.exec(await reply.text())?.[1]);
}

const texts = {
  whole: (key: string) => requestText(key, 'Hello'),
  large: (key: string) => requestText(key, 'Hello '.repeat(5000)),
  pipelined: (key: string) => requestText(key, 'Hello').repeat(3),
  half: (key: string) => requestText(key, 'Hello').slice(0, -5),
} as const;

it('requests whose clients leave within milliseconds end, and the gateway stops at once', async () => {
  const gateway = await startTestGateway({ TURNPIKE_METRICS_TOKEN: metricsToken });
  const upstream = await startUpstream();
  try {
    const port = Number(new URL(gateway.url).port);
    // Slow, and then it fails: the second channel is tried.
    upstream.answer(async (response, request) => {
      await sleep(30);
      errorReply(500, { message: 'no' })(response, request);
    });
    for (let count = 0; count < 2; count++)
      await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o' });
    for (const text of Object.values(texts)) {
      // The first requests of a key wait for it to be looked up.
      const { key, userId } = await gateway.addCustomer(1_000_000);
      await Promise.all(
        Array.from({ length: size }, (_, index) => sendAndLeave(port, text(key), index)),
      );
      await expect.poll(() => activeRequests(gateway)).toBe(0);
      expect((await gateway.client.user.get({ id: userId })).quota).toBe(1_000_000);
    }
  } finally {
    // Would wait for what is left longer than a test may take.
    await gateway.close();
    await upstream.close();
  }
});
