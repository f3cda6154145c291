/** Shared by tests of operations other than chat: a gateway, an upstream, balances and log rows. */
import OpenAI from 'openai';
import type { ProviderRegistry } from '../../src/core/canonical/registry.ts';
import { type LogOther, readLogOther } from '../../src/core/contract/log-other.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { startUpstream, type TestUpstream } from './upstream.ts';

export const startQuota = 10_000_000;

export interface CallBench {
  readonly gateway: TestGateway;
  readonly upstream: TestUpstream;
  openAi(apiKey: string): OpenAI;
  /** A POST as no SDK would send it. */
  post(
    path: string,
    key: string,
    body: string | Buffer | FormData,
    contentType?: string,
  ): Promise<Response>;
  spent(userId: number): Promise<number>;
  newestLog(
    username: string,
  ): Promise<{ row: Record<string, unknown>; other: LogOther & Record<string, unknown> }>;
  close(): Promise<void>;
}

/** One OpenAI channel (type 1) with these models in front of a scripted upstream. */
export async function startCallBench(
  models: string,
  environment: Record<string, string> = {},
  providers?: ProviderRegistry,
): Promise<CallBench> {
  const gateway = await startTestGateway(environment, providers);
  const upstream = await startUpstream();
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models });
  return {
    gateway,
    upstream,
    openAi: (apiKey) => new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 }),
    post: (path, key, body, contentType) =>
      fetch(gateway.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'accept-language': 'en',
          ...(body instanceof FormData
            ? {}
            : { 'content-type': contentType ?? 'application/json' }),
        },
        body: typeof body === 'string' || body instanceof FormData ? body : new Uint8Array(body),
      }),
    spent: async (userId) => startQuota - (await gateway.client.user.get({ id: userId })).quota,
    newestLog: async (username) => {
      const { items } = await gateway.client.log.list({ username, type: 2, page_size: 1 });
      const [row] = items;
      if (row === undefined) throw new Error('no log row');
      return { row: row as unknown as Record<string, unknown>, other: readLogOther(row.other) };
    },
    close: async () => {
      await gateway.close();
      await upstream.close();
    },
  };
}
