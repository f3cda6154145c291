/** Upstreams that speak WebSocket are reached through their channel's proxy. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { bearer, greet } from '../../../support/realtime-bench.ts';
import { openSocket } from '../../../support/socket-client.ts';
import { type SocketUpstream, startSocketUpstream } from '../../../support/socket-upstream.ts';
import { startHttpProxy, startSocksProxy } from '../../upstream/support/proxies.ts';

let gateway: TestGateway;
let upstream: SocketUpstream;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.set('SelfUseModeEnabled', true);
  upstream = await startSocketUpstream();
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const proxies = { http: startHttpProxy, socks5: startSocksProxy };
const kinds = ['http', 'socks5'] as const;
const hostOf = (url: string) => new URL(url).host;

it.each(kinds)('realtime, by a proxy of kind %s', async (kind) => {
  const proxy = await proxies[kind]();
  const setting = JSON.stringify({ proxy: `${kind}://user:secret@127.0.0.1:${proxy.port}` });
  const models = `gpt-4o-realtime-preview-${kind}`;
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models, setting });
  upstream.script({ connect: greet });
  const { key } = await gateway.addCustomer(1_000_000);
  const client = await openSocket(
    `${gateway.url.replace('http', 'ws')}/v1/realtime?model=${models}`,
    bearer(key),
  );
  expect(await client.next()).toMatchObject({ type: 'session.created' });
  client.socket.close();
  expect(proxy.targets).toEqual([hostOf(upstream.url)]);
});

it.each(kinds)('Spark, by a proxy of kind %s', async (kind) => {
  const proxy = await proxies[kind]();
  const setting = JSON.stringify({ proxy: `${kind}://user:secret@127.0.0.1:${proxy.port}` });
  const models = `SparkDesk-v3.5-${kind}`;
  const mapping = JSON.stringify({ [models]: 'SparkDesk-v3.5' });
  await gateway.addChannel({
    type: 18,
    baseUrl: upstream.url,
    key: 'app|secret|key',
    models,
    model_mapping: mapping,
    setting,
  });
  upstream.script({
    connect: async (connection) => {
      await connection.next();
      const text = [{ content: 'Bonjour', role: 'assistant', index: 0 }];
      const usage = { text: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
      connection.send({
        header: { code: 0, status: 2 },
        payload: { choices: { status: 2, seq: 0, text }, usage },
      });
      connection.socket.close(1000);
    },
  });
  const { key } = await gateway.addCustomer(1_000_000);
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: models, messages: [{ role: 'user', content: 'hi' }] }),
  });
  expect(await reply.text()).toContain('Bonjour');
  expect(proxy.targets).toEqual([hostOf(upstream.url)]);
});
