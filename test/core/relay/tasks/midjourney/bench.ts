/** The gateway with a Midjourney proxy behind it, a clock that is moved by hand, and polls that run when they are told to. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import type { Midjourney } from '../../../../../src/core/storage/storage.ts';
import { createTestApp, type TestApp } from '../../../../support/app.ts';
import { type MidjourneyProxy, startMidjourneyProxy } from '../../../../support/midjourney-proxy.ts';

export interface DrawingReplyBody {
  readonly code: number;
  readonly description: string;
  readonly result: string;
  readonly type?: string;
  readonly properties?: Record<string, unknown>;
}

export interface Reply<Body = DrawingReplyBody> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

export interface Customer {
  readonly userId: number;
  readonly tokenId: number;
  readonly key: string;
}

export interface DrawingBench extends TestApp {
  readonly url: string;
  readonly proxy: MidjourneyProxy;
  readonly channelId: number;
  /** Quota 1,000,000, and a token that may spend 900,000. */
  readonly customer: Customer;
  addCustomer(quota?: number, token?: Record<string, unknown>): Promise<Customer>;
  addChannel(fields?: Record<string, unknown>): Promise<number>;
  set(key: string, value: string | boolean): Promise<void>;
  /** Sends with the customer's key; `key` null: without one. */
  post<Body = DrawingReplyBody>(path: string, body: unknown, key?: string | null): Promise<Reply<Body>>;
  get<Body = Record<string, unknown>>(path: string, key?: string | null): Promise<Reply<Body>>;
  poll(): Promise<void>;
  /** The rows of drawings, oldest first. */
  rows(): Promise<readonly Midjourney[]>;
  /** What a user and their token have left, and used. */
  balance(customer?: Customer): Promise<{ quota: number; used: number; remain: number; tokenUsed: number }>;
  /** What the channel has used. */
  channelUsed(): Promise<number>;
}

export const allModels =
  'mj_imagine,mj_variation,mj_reroll,mj_blend,mj_upscale,mj_describe,mj_upload,swap_face,mj_zoom,mj_shorten,mj_modal,mj_inpaint,mj_custom_zoom,mj_high_variation,mj_low_variation,mj_pan,mj_edits,mj_video';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

export async function startDrawingBench(environment: Record<string, string> = {}): Promise<DrawingBench> {
  const proxy = await startMidjourneyProxy();
  const started = await createTestApp({ ALLOW_PRIVATE_UPSTREAM: 'true', ...environment });
  const { app, operator } = started;
  const server = createServer((request, response) => {
    if (!app.relay.gateway.handle(request, response)) response.writeHead(404).end('not the relay');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  app.setListening({ port, url });
  let serial = 0;
  const addChannel = async (fields: Record<string, unknown> = {}): Promise<number> => {
    serial += 1;
    const given = { name: `mj ${serial}`, type: 5, key: 'proxy-secret', base_url: proxy.url, models: allModels, ...fields };
    const { ids } = await operator.channel.create(given);
    return ids[0] ?? 0;
  };
  const addCustomer = async (quota = 1_000_000, token: Record<string, unknown> = {}): Promise<Customer> => {
    serial += 1;
    const username = `customer${serial}`;
    const userId = await started.addUser(username, { quota });
    const given = { name: 'test', remain_quota: 900_000, unlimited_quota: false, ...token, user: username };
    const { id, key } = await operator.userTokens.create(given);
    return { userId, tokenId: id, key: `sk-${key}` };
  };
  const channelId = await addChannel();
  const customer = await addCustomer();
  const send = async (method: string, path: string, key: string | null, body?: unknown): Promise<Reply<never>> => {
    const reply = await fetch(url + path, {
      method,
      headers: { 'accept-language': 'en', ...(key !== null && { authorization: `Bearer ${key}` }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, body: parse(text) as never };
  };
  return {
    ...started,
    url,
    proxy,
    channelId,
    customer,
    addCustomer,
    addChannel,
    set: async (key, value) => void (await operator.option.set({ key, value })),
    post: (path, body, key = customer.key) => send('POST', path, key, body),
    get: (path, key = customer.key) => send('GET', path, key),
    poll: () => app.tasks.poll(new AbortController().signal),
    rows: async () => [...(await app.storage.midjourneys.page({}, { offset: 0, limit: 100 })).items].reverse(),
    balance: async ({ userId, tokenId } = customer) => {
      await app.ledger.drain();
      const user = await app.storage.users.find(userId);
      const token = await app.storage.tokens.find(tokenId);
      const { quota } = await app.ledger.balance(userId);
      return {
        quota,
        used: user?.usedQuota ?? -1,
        remain: token?.remainQuota ?? -1,
        tokenUsed: token?.usedQuota ?? -1,
      };
    },
    channelUsed: async () => (await app.storage.channels.find(channelId))?.usedQuota ?? -1,
  };
}

/** An accepted submit: the id of its task. */
export async function submitted(
  bench: DrawingBench,
  body: object = { prompt: 'cat' },
  path = '/mj/submit/imagine',
): Promise<string> {
  const reply = await bench.post(path, body);
  if (reply.status !== 200 || reply.body.code !== 1) throw new Error(`not accepted: ${reply.text}`);
  return reply.body.result;
}

/** A finished image, and its id. */
export async function drawn(bench: DrawingBench, body?: object): Promise<string> {
  const id = await submitted(bench, body);
  bench.proxy.report(id, { status: 'SUCCESS', progress: '100%', imageUrl: `${bench.proxy.url}/images/${id}.png` });
  await bench.poll();
  return id;
}
