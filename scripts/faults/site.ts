/** A whole site under test: gateways, what they store in, upstreams, users. */
import { type Client, createClient, layOutCall } from '../../src/core/contract/client.ts';
import { type Engine, openEngine } from './engine.ts';
import { type End, GatewayProcess } from './gateway.ts';
import type { Destination } from './load.ts';
import { modelOf, wires } from './orders.ts';
import type { Settings } from './settings.ts';
import { type FaultyUpstream, startFaultyUpstream } from './upstream.ts';

export interface Site {
  readonly engine: Engine;
  readonly upstream: FaultyUpstream;
  /** Those that run. */
  readonly gateways: readonly GatewayProcess[];
  /** Keys of tokens, of as many users. */
  readonly keys: readonly string[];
  /** Where the next request goes, in turn. */
  destination(): Destination | undefined;
  operator(gateway: GatewayProcess): Client;
  /** Starts the gateways that do not run. */
  start(): Promise<void>;
  /** Ends one; clients do not send it anything any more. */
  end(gateway: GatewayProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<End>;
  close(): Promise<void>;
}

/** Users: each may have thirty rows of errors a minute. */
const users = 40;
/** Quota of each, more than a run can spend. */
const riches = 1_000_000_000_000;

/** Seconds: short, so that silence is noticed while a step runs. */
const environment = {
  GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  CRITICAL_RATE_LIMIT_ENABLE: 'false',
  SETUP_TOKEN: 'TESTAB',
  TRUSTED_PROXIES: '127.0.0.1',
  FIRST_BYTE_TIMEOUT: '2',
  STREAMING_TIMEOUT: '2',
  RELAY_TIMEOUT: '4',
  RETRY_WINDOW: '8',
  MAX_REPLY_MB: '4',
  MAX_STREAM_EVENT_MB: '1',
};

/** Whole numbers of quota per token, so that charges can be read off. */
const priced = Object.fromEntries(wires.map((wire) => [modelOf(wire), 1]));
const options: Readonly<Record<string, string | number | boolean>> = {
  RetryTimes: 2,
  ErrorLogEnabled: true,
  LogConsumeEnabled: true,
  DataExportEnabled: true,
  AutomaticDisableChannelEnabled: false,
  ModelRatio: JSON.stringify(priced),
  CompletionRatio: JSON.stringify(priced),
};

function clientOf({ url, operatorKey }: GatewayProcess): Client {
  return createClient(async (call, input) => {
    const { method, path, body } = layOutCall(call, input);
    const headers = {
      authorization: `Bearer ${operatorKey}`,
      'content-type': 'application/json',
      connection: 'close',
    };
    const reply = await fetch(url + path, {
      method,
      headers,
      signal: AbortSignal.timeout(30_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.json(), total: undefined };
  });
}

/** Users with a token each, and two channels for each wire. */
async function furnish(client: Client, upstream: FaultyUpstream): Promise<readonly string[]> {
  const root = {
    username: 'root',
    password: 'a long password of root',
    SiteLanguage: 'en',
  } as const;
  await client.system.setup({ ...root, confirmPassword: root.password, setup_token: 'TESTAB' });
  for (const [key, value] of Object.entries(options)) await client.option.set({ key, value });
  for (const wire of wires)
    for (let count = 1; count <= 2; count += 1)
      await client.channel.create({
        name: `${wire} ${count}`,
        type: wire === 'chat' ? 1 : 14,
        key: 'upstream-key',
        base_url: upstream.url,
        models: modelOf(wire),
      });
  const keys: string[] = [];
  for (let count = 1; count <= users; count += 1) {
    const user = `user${count}`;
    await client.user.create({
      username: user,
      password: 'a long password of a user',
      quota: riches,
    });
    const { key } = await client.userTokens.create({ name: 'faults', unlimited_quota: true, user });
    keys.push(`sk-${key}`);
  }
  return keys;
}

export async function openSite(settings: Settings): Promise<Site> {
  const engine = await openEngine(settings);
  const upstream = await startFaultyUpstream();
  const running = new Map<string, GatewayProcess>();
  const start = async (): Promise<void> => {
    for (const dataDir of engine.dataDirs) {
      if (running.has(dataDir)) continue;
      running.set(
        dataDir,
        await GatewayProcess.start({
          dataDir,
          environment: { ...environment, ...engine.environment },
        }),
      );
    }
  };
  const close = async (): Promise<void> => {
    for (const gateway of running.values()) await gateway.end('SIGKILL');
    await upstream.close();
    await engine.close();
  };
  let turn = 0;
  try {
    await start();
    const [first] = running.values();
    const keys = first === undefined ? [] : await furnish(clientOf(first), upstream);
    return {
      engine,
      upstream,
      keys,
      get gateways() {
        return [...running.values()];
      },
      destination: () => {
        const up = [...running.values()];
        turn += 1;
        const gateway = up[turn % Math.max(1, up.length)];
        return gateway && { port: gateway.port, process: gateway.id };
      },
      operator: clientOf,
      start,
      end: async (gateway, signal) => {
        for (const [dataDir, one] of running) if (one === gateway) running.delete(dataDir);
        return gateway.end(signal);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
