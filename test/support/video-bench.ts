/** A bench with a channel that makes videos, and an upload folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { actorFrom } from '../../src/core/accounts/actor-from.ts';
import { type Client, createClient } from '../../src/core/contract/client.ts';
import { bindStoreResults } from '../../src/core/files/results/store-results.ts';
import { createLocalStore } from '../../src/core/files/store/local-store.ts';
import { defaultGuardPolicy } from '../../src/core/upstream/guard.ts';
import { createLocalTransport } from '../../src/server/local-client.ts';
import { startVideoUpstream, type VideoUpstream } from './dashscope-videos.ts';
import { type Customer, createTaskBench, type Reply, type TaskBench } from './task-bench.ts';

export const t2v = 'wanx2.1-t2v-turbo';
export const i2v = 'wanx2.1-i2v-turbo';
/** 0.2 units, the price of every model. */
export const videoPrice = 100_000;

export interface VideoBench extends TaskBench {
  readonly upstream: VideoUpstream;
  readonly channel: number;
  readonly customer: Customer;
  /** Orders a video with the customer's token. */
  order(body?: object, by?: Customer): Promise<Reply>;
  read(id: unknown, by?: Customer): Promise<Reply>;
  /** Headers of a login to the console. */
  signIn(by?: Customer): Promise<Record<string, string>>;
  /** The console's client of a customer. */
  consoleOf(by?: Customer): Promise<Client>;
  /** Downloads the results of finished videos. */
  storeResults(): Promise<void>;
  /** What the customer has and has used, and the token and the channel. */
  figures(): Promise<Record<string, number | undefined>>;
}

export const videoModels = [t2v, i2v, 'wan2.5-t2v-preview', 'my-video'];

export async function createVideoBench(
  environment: Record<string, string> = {},
): Promise<VideoBench> {
  const uploads = mkdtempSync(join(tmpdir(), 'turnpike-videos-'));
  const upstream = await startVideoUpstream();
  const bench = await createTaskBench(undefined, { UPLOAD_DIR: uploads, ...environment });
  const prices = Object.fromEntries(videoModels.map((model) => [model, 0.2]));
  await bench.operator.option.set({ key: 'ModelPrice', value: JSON.stringify(prices) });
  const channel = await bench.addChannel(upstream.url, {
    type: 17,
    models: [...videoModels, 'wan-unpriced'].join(','),
    group: 'default,vip',
  });
  const customer = await bench.addCustomer(1_000_000, {
    unlimited_quota: false,
    remain_quota: 500_000,
  });
  const close = bench.close;
  return Object.assign(bench, {
    upstream,
    channel,
    customer,
    order: (body: object = {}, by = customer) =>
      bench.call(by, 'POST', '/v1/video/generations', {
        model: t2v,
        prompt: 'a cat runs',
        ...body,
      }),
    read: (id: unknown, by = customer) => bench.call(by, 'GET', `/v1/video/generations/${id}`),
    signIn: async ({ userId } = customer) => ({
      'server-token': await bench.app.accounts.openSession.open(
        await bench.app.accounts.own.get(userId),
        'password',
        {
          ip: '127.0.0.1',
          userAgent: 'test',
        },
      ),
      'new-api-user': String(userId),
      'content-type': 'application/json',
      'accept-language': 'en',
    }),
    consoleOf: async ({ userId } = customer) => {
      const user = await bench.app.accounts.own.get(userId);
      return createClient(createLocalTransport(bench.app, actorFrom(user, '192.0.2.1'), 'en'));
    },
    storeResults: () => {
      const { storage, clock, ids, logger } = bench.app;
      const store = createLocalStore(uploads, ids);
      const sourceOf = bench.app.tasks.videos.sourceOf;
      const deps = {
        storage,
        store,
        guard: defaultGuardPolicy,
        clock,
        ids,
        logger,
        sourceOf,
        days: 30,
      };
      return bindStoreResults(deps)(new AbortController().signal);
    },
    figures: async () => {
      const { storage, ledger } = bench.app;
      const [user, token, paid, balance] = await Promise.all([
        storage.users.find(customer.userId),
        storage.tokens.find(customer.tokenId),
        storage.channels.find(channel),
        ledger.balance(customer.userId),
      ]);
      return {
        quota: balance.quota,
        held: balance.held,
        used: user?.usedQuota,
        remain: token?.remainQuota,
        tokenUsed: token?.usedQuota,
        channel: paid?.usedQuota,
      };
    },
    close: async () => {
      await close();
      await upstream.close();
      rmSync(uploads, { recursive: true, force: true });
    },
  });
}

/** {@link VideoBench.figures} after a charge to the token. */
export const chargedVideo = (amount = videoPrice) => ({
  quota: 1_000_000 - amount,
  held: 0,
  used: amount,
  remain: 500_000 - amount,
  tokenUsed: amount,
  channel: amount,
});
