/** A running relay whose clock the test controls, with scripted upstreams. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../../../../src/core/app.ts';
import type { Cluster } from '../../../../src/core/cluster/cluster.ts';
import { type RouteStep, readLogOther } from '../../../../src/core/contract/log-other.ts';
import { createTestApp, type TestApp, type TestClock } from '../../../support/app.ts';
import { afterEachTest } from '../../../support/hooks.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

/** A gateway as the only customer of the site uses it. */
interface TestGateway {
  readonly url: string;
  /** Sends a chat request. */
  chat(
    fields?: Record<string, unknown>,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Answer>;
  post(
    path: string,
    body: object,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Answer>;
}

export interface TestRelay extends TestApp, TestGateway {
  /** Serves the relay's paths of another process over the same database. */
  serve(app: Pick<App, 'relay'>): Promise<TestGateway>;
  /** Adds a channel in front of an upstream; returns its id. */
  addChannel(upstream: TestUpstream, fields?: Record<string, unknown>): Promise<number>;
  /** The route of the newest request that was charged. */
  route(): Promise<readonly RouteStep[]>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; {} when it is not JSON. */
  readonly json: Record<string, unknown>;
}

const closers: (() => Promise<void>)[] = [];
afterEachTest(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

export async function upstream(): Promise<TestUpstream> {
  const started = await startUpstream();
  closers.push(() => started.close());
  return started;
}

export async function startRelay(
  options: Record<string, string | number | boolean> = {},
  environment: Record<string, string> = {},
  clusterOf?: (clock: TestClock) => Cluster,
): Promise<TestRelay> {
  const test = await createTestApp(environment, true, clusterOf);
  const { operator } = test;
  for (const [key, value] of Object.entries(options)) await operator.option.set({ key, value });
  await test.addUser('customer', { quota: 1_000_000_000 });
  const { key } = await operator.userTokens.create({
    name: 't',
    unlimited_quota: true,
    user: 'customer',
  });
  const serve: TestRelay['serve'] = async (app) => {
    const url = await listen(app);
    const post: TestGateway['post'] = async (path, body, headers = {}, signal) => {
      const reply = await fetch(url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer sk-${key}`,
          'content-type': 'application/json',
          ...headers,
        },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      });
      const text = await reply.text();
      return { status: reply.status, headers: reply.headers, text, json: parse(text) };
    };
    return {
      url,
      post,
      chat: (fields = {}, headers = {}, signal) =>
        post(
          '/v1/chat/completions',
          { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }], ...fields },
          headers,
          signal,
        ),
    };
  };
  let serial = 0;
  return {
    ...test,
    ...(await serve(test.app)),
    serve,
    addChannel: async (to, fields = {}) => {
      serial += 1;
      const { ids } = await operator.channel.create({
        name: `channel ${serial}`,
        type: 1,
        key: 'upstream-key',
        base_url: to.url,
        models: 'gpt-4o,gpt-4o-mini',
        ...fields,
      });
      return ids[0] ?? 0;
    },
    route: async () => {
      const { items } = await operator.log.list({ type: 2 });
      return readLogOther(items[0]?.other ?? '').admin_info?.route ?? [];
    },
  };
}

/** Serves the relay's paths of an app; returns its address. */
async function listen({ relay }: Pick<App, 'relay'>): Promise<string> {
  const server = createServer((request: IncomingMessage, response) => {
    if (!relay.gateway.handle(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The reply of a working channel. */
export const fine = chatReply();
