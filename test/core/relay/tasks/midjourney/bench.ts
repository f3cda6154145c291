/**
 * The gateway with a Midjourney proxy behind it, a clock that is moved by hand, and polls that run
 * when they are told to.
 */
import type { Midjourney } from '../../../../../src/core/storage/storage.ts';
import { afterEachTest } from '../../../../support/hooks.ts';
import {
  type MidjourneyProxy,
  startMidjourneyProxy,
} from '../../../../support/midjourney-proxy.ts';
import { type Customer, createTaskBench, type TaskBench } from '../../../../support/task-bench.ts';

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

export interface Balance {
  readonly quota: number;
  readonly used: number;
  readonly remain: number;
  readonly tokenUsed: number;
}

export interface DrawingBench
  extends Pick<TaskBench, 'app' | 'clock' | 'operator' | 'url' | 'poll' | 'restart'> {
  readonly proxy: MidjourneyProxy;
  readonly channelId: number;
  /** Quota 1,000,000, and a token that may spend 900,000. */
  readonly customer: Customer;
  addCustomer(quota?: number, token?: Record<string, unknown>): Promise<Customer>;
  addChannel(fields?: Record<string, unknown>): Promise<number>;
  set(key: string, value: string | boolean): Promise<void>;
  /** Sends with the customer's key; `key` null: without one. */
  post<Body = DrawingReplyBody>(
    path: string,
    body: unknown,
    key?: string | null,
  ): Promise<Reply<Body>>;
  get<Body = Record<string, unknown>>(path: string, key?: string | null): Promise<Reply<Body>>;
  /** The rows of drawings, oldest first. */
  rows(): Promise<readonly Midjourney[]>;
  /** What a user and their token have left, and used. */
  balance(customer?: Customer): Promise<Balance>;
  /** What the channel has used. */
  channelUsed(): Promise<number>;
}

const allModels =
  'mj_imagine,mj_variation,mj_reroll,mj_blend,mj_upscale,mj_describe,mj_upload,swap_face,mj_zoom,mj_shorten,mj_modal,mj_inpaint,mj_custom_zoom,mj_high_variation,mj_low_variation,mj_pan,mj_edits,mj_video';

const benches: TaskBench[] = [];
afterEachTest(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

async function balanceOf({ app }: TaskBench, { userId, tokenId }: Customer): Promise<Balance> {
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
}

/** `databaseUrl` absent: a file of its own. */
export async function startDrawingBench(
  environment: Record<string, string> = {},
  databaseUrl?: string,
): Promise<DrawingBench> {
  const proxy = await startMidjourneyProxy();
  const bench = await createTaskBench(databaseUrl, {
    ALLOW_PRIVATE_UPSTREAM: 'true',
    ...environment,
  });
  benches.push(bench);
  const listen = () =>
    bench.app.setListening({ port: Number(new URL(bench.url).port), url: bench.url });
  listen();
  const addChannel: DrawingBench['addChannel'] = (fields = {}) =>
    bench.addChannel(proxy.url, { type: 5, key: 'proxy-secret', models: allModels, ...fields });
  const addCustomer: DrawingBench['addCustomer'] = (quota = 1_000_000, token = {}) =>
    bench.addCustomer(quota, { remain_quota: 900_000, unlimited_quota: false, ...token });
  const channelId = await addChannel();
  const customer = await addCustomer();
  const send = async (
    method: string,
    path: string,
    key: string | null,
    body?: unknown,
  ): Promise<Reply<never>> => {
    const reply = await fetch(bench.url + path, {
      method,
      headers: { 'accept-language': 'en', ...(key !== null && { authorization: `Bearer ${key}` }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, body: parse(text) as never };
  };
  return {
    get app() {
      return bench.app;
    },
    get operator() {
      return bench.operator;
    },
    get url() {
      return bench.url;
    },
    clock: bench.clock,
    poll: bench.poll,
    restart: async () => {
      await bench.restart();
      listen();
    },
    proxy,
    channelId,
    customer,
    addCustomer,
    addChannel,
    set: async (key, value) => void (await bench.operator.option.set({ key, value })),
    post: (path, body, key = customer.key) => send('POST', path, key, body),
    get: (path, key = customer.key) => send('GET', path, key),
    rows: async () =>
      [
        ...(await bench.app.storage.midjourneys.page({}, { offset: 0, limit: 100 })).items,
      ].reverse(),
    balance: (of = customer) => balanceOf(bench, of),
    channelUsed: async () => (await bench.app.storage.channels.find(channelId))?.usedQuota ?? -1,
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
  bench.proxy.report(id, {
    status: 'SUCCESS',
    progress: '100%',
    imageUrl: `${bench.proxy.url}/images/${id}.png`,
  });
  await bench.poll();
  return id;
}
