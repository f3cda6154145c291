/**
 * `turnpike serve --demo`: a site with a history and a scripted upstream, in a folder of its own
 * that is deleted at the end. Nothing of it leaves this machine, and no vendor's key is needed.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from './random.ts';
import { buildDemoSite, type DemoSite } from './site/build.ts';
import { drawCall, sendCall } from './site/calls.ts';
import type { Customer } from './site/history.ts';
import { followPort } from './site/server-address.ts';
import {
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamOptions,
} from './upstream/server.ts';

/** A trickle of requests by the demo users, so that live figures, health and logs move. */
interface Traffic {
  stop(): void;
}

/**
 * Sends about that many requests per minute, at random times. Requests that fail, as during a
 * restart, are ignored.
 */
export function startTraffic(
  gatewayUrl: string,
  customers: readonly Pick<Customer, 'key' | 'tag' | 'models' | 'activity'>[],
  perMinute: number,
): Traffic {
  const random = createRandom(Date.now());
  const weighted = customers.map((customer) => [customer, customer.activity] as const);
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    const pause = (-Math.log(1 - random.next()) * 60_000) / perMinute;
    timer = setTimeout(() => {
      const customer = random.pickWeighted(weighted);
      const call = drawCall(random, random.pickWeighted(customer.models));
      void sendCall(gatewayUrl, customer, call).catch(() => undefined);
      next();
    }, pause);
  };
  if (perMinute > 0 && customers.length > 0) next();
  return { stop: () => clearTimeout(timer) };
}

export interface DemoOptions {
  /** Shown to everybody who signs in. */
  readonly notice: string;
  /** Ends the making of the site. */
  readonly stop: AbortSignal;
  /** Of the history; absent: 600 over two weeks. */
  readonly requests?: number;
  /** How its upstream behaves; absent: with the waits and the failures of real ones. */
  readonly upstream?: Pick<UpstreamOptions, 'pace' | 'random'>;
  /** Requests a minute by its users while it runs; absent: 6. */
  readonly perMinute?: number;
}

export interface Demo {
  readonly dataDir: string;
  readonly site: DemoSite;
  /** Once the gateway listens: the site gets its address, and its users go on working. */
  begin(gatewayUrl: string): Promise<void>;
  /** Once the gateway is closed. Deletes the folder. */
  close(): Promise<void>;
}

const historyDays = 14;

/**
 * Makes the site. Throws what {@link buildDemoSite} throws; its folder is deleted then, too. The
 * password is another each time, because a demo may listen on other addresses than this machine's.
 */
export async function openDemo(options: DemoOptions): Promise<Demo> {
  const { notice, stop, requests = 600, perMinute = 6 } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-demo-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  let site: DemoSite;
  let upstream: ScriptedUpstream;
  try {
    const password = randomBytes(9).toString('base64url');
    const build = { dataDir, upstreamPort: 0, days: historyDays, requests, password, notice, stop };
    site = await buildDemoSite(build);
    upstream = await startScriptedUpstream({
      port: site.upstreamPort,
      random: createRandom(Date.now()),
      ...options.upstream,
    });
  } catch (error) {
    remove();
    throw error;
  }
  let stopTraffic = (): void => {};
  return {
    dataDir,
    site,
    begin: async (gatewayUrl) => {
      await followPort(dataDir, gatewayUrl);
      stopTraffic = startTraffic(gatewayUrl, site.customers, perMinute).stop;
    },
    close: async () => {
      stopTraffic();
      await upstream.close();
      remove();
    },
  };
}
