/**
 * Fills an empty data folder with a demo site: users, channels, tokens, codes and weeks of usage.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { writePrivateFile } from '../../core/config/data-folder.ts';
import { createRandom } from '../random.ts';
import { startScriptedUpstream } from '../upstream/server.ts';
import { type Customer, planHistory, quotaPerUnit } from './history.ts';
import { createHistoryClock } from './history-clock.ts';
import { openPastSite, type PastSite } from './past-site.ts';
import { paymentOptions } from './payments.ts';

/** Data about a generated site, stored next to its data as `demo.json`. */
export interface DemoSite {
  readonly rootName: string;
  /** Of root and of every user. */
  readonly password: string;
  /** Part of the channels' addresses. */
  readonly upstreamPort: number;
  readonly customers: readonly Pick<Customer, 'username' | 'key' | 'tag' | 'models' | 'activity'>[];
}

export interface BuildOptions {
  /** Absent or empty before. */
  readonly dataDir: string;
  /** 0: any free one. */
  readonly upstreamPort: number;
  /** Of root and of every user: 8 to 20 characters. */
  readonly password: string;
  readonly days: number;
  readonly requests: number;
  /** Shown to everybody who signs in. */
  readonly notice?: string;
  /** Ends the work between two events. */
  readonly stop?: AbortSignal | undefined;
}

const rootName = 'root';
const seed = 20_260_101;
/** Time reserved for the last events of the history, so that none is in the future. */
const finishMs = 300_000;
/** Large, because no one watches these streams and few events suffice. */
const wordsPerEvent = 40;
/** Turns of the event loop that a write to a socket of this process takes to arrive. */
const readingTurns = 6;

const options: Readonly<Record<string, string | number | boolean>> = {
  SystemName: 'Turnpike demo',
  RetryTimes: 2,
  AutomaticDisableChannelEnabled: true,
  GroupRatio: JSON.stringify({ default: 1, vip: 0.8, research: 0.6 }),
  UserUsableGroups: JSON.stringify({
    default: 'Everybody',
    vip: 'Paying customers',
    research: 'Universities',
  }),
};

/**
 * The site that a data folder already holds; undefined for a new folder. Throws Error for a folder
 * with other data.
 */
export function readDemoSite(dataDir: string): DemoSite | undefined {
  const file = join(dataDir, 'demo.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoSite;
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new Error(`${dataDir} is not empty and holds no demo site`);
  return undefined;
}

/**
 * Throws Error if the ledger of the new site has a difference, and the reason of `stop` when that
 * was aborted.
 */
export async function buildDemoSite(build: BuildOptions): Promise<DemoSite> {
  const { dataDir, upstreamPort, password, days, requests, stop } = build;
  const end = Date.now() - finishMs;
  const span = { start: end - days * 86_400_000, end };
  const clock = createHistoryClock(span.start);
  const random = createRandom(seed);
  const pace = {
    wait: async (ms: number) => {
      // What was written so far is read by the gateway before the time moves on.
      for (let turn = 0; turn < readingTurns; turn += 1) await setImmediate();
      clock.advance(ms);
    },
    wordsPerEvent,
  };
  const upstream = await startScriptedUpstream({
    port: upstreamPort,
    random,
    pace,
    now: clock.now,
  });
  const site = await openPastSite(dataDir, clock);
  try {
    const upstreamUrl = upstream.url;
    await setUp(site, upstreamUrl, build);
    const { events, customers } = planHistory({
      site,
      random,
      span,
      requests,
      upstreamUrl,
      password,
    });
    for (const { at, happen } of events) {
      stop?.throwIfAborted();
      clock.advanceTo(at);
      await happen();
    }
    const { ok, drifts } = await site.operator.ledger.verify();
    if (!ok)
      throw new Error(
        `the demo site's balances do not match its postings: ${JSON.stringify(drifts)}`,
      );
    const made: DemoSite = { rootName, password, upstreamPort: upstream.port, customers };
    writePrivateFile(join(dataDir, 'demo.json'), `${JSON.stringify(made, null, 2)}\n`);
    return made;
  } finally {
    await site.close();
    await upstream.close();
  }
}

const standardNotice =
  'This is a demo site. Its channels lead to a scripted upstream on your machine.';

async function setUp(
  { operator }: PastSite,
  upstreamUrl: string,
  { password, notice = standardNotice }: BuildOptions,
): Promise<void> {
  const username = rootName;
  await operator.system.setup({ username, password, confirmPassword: password });
  for (const [key, value] of Object.entries({
    ...options,
    Notice: notice,
    ...paymentOptions(upstreamUrl),
  }))
    await operator.option.set({ key, value });
  await operator.userTokens.create({
    name: 'trying things',
    user: username,
    unlimited_quota: true,
  });
  await operator.userTokens.create({
    name: 'backup script',
    user: username,
    remain_quota: quotaPerUnit,
    allow_ips: '10.0.0.0/8',
  });
}
