/** A request's context without a site behind it, for tests of its bill. */
import type { ChargeRequest, HoldRequest, NewLog } from '../../../../src/core/billing/index.ts';
import { decimal } from '../../../../src/core/kernel/decimal.ts';
import { buildPriceTables } from '../../../../src/core/pricing/tables.ts';
import type { AttemptOutcome } from '../../../../src/core/relay/attempt.ts';
import type { Bill } from '../../../../src/core/relay/charge/bill.ts';
import type { BillRequest } from '../../../../src/core/relay/charge/estimate-hold.ts';
import type { CallerContext } from '../../../../src/core/relay/context.ts';

export const priceOptions = {
  ModelRatio: { thinker: 2 },
  ModelPrice: { caller: 0.02 },
  CompletionRatio: { thinker: 4 },
  CacheRatio: { thinker: 0.5 },
  CreateCacheRatio: {},
  AudioRatio: {},
  ImageRatio: {},
  AudioCompletionRatio: {},
  ModelPriceDetails: { thinker: { factors: { flex: 0.5 } } },
  GroupRatio: { default: 1, vip: 0.5 },
  GroupGroupRatio: { staff: { vip: 0.25 } },
};
const prices = buildPriceTables(priceOptions);

/** What was done so far, in order. */
export const done: unknown[] = [];
export const nothingDone = () => void done.splice(0);

export interface Site {
  readonly policy?: object;
  readonly caller?: object;
  readonly headers?: object;
  readonly deps?: object;
  readonly context?: object;
  readonly hold?: (request: HoldRequest) => object;
  readonly settle?: (charge: ChargeRequest) => Promise<number>;
}

/** A request of user 4 that came at 100 s and is settled at 107.6 s. */
export function contextOf(site: Site = {}): CallerContext {
  const note = (name: string, result?: unknown) => (what: unknown) => {
    done.push([name, what]);
    return result;
  };
  const deps = {
    clock: { now: () => 107_600 },
    siteLanguage: () => 'en',
    counter: { count: async () => 7 },
    budgets: { windowsOf: () => undefined, enterRates: () => undefined },
    ledger: {
      hold: async (request: HoldRequest) => {
        done.push(['hold', request]);
        return { ...request, small: false, ...site.hold?.(request) };
      },
      settle: async (_: unknown, charge: ChargeRequest) => {
        done.push(['settle', charge]);
        return (await site.settle?.(charge)) ?? 1000;
      },
      release: async () => void done.push('release'),
    },
    quotaWarnings: { note: note('warn') },
    traffic: { record: note('traffic') },
    summedTags: { of: () => ['x'] },
    ...site.deps,
  };
  return {
    deps,
    requestId: 'r',
    group: 'default',
    address: '::1',
    startedAt: 100_000,
    policy: {
      prices,
      quotaPerUnit: decimal(1000),
      leastHeldTokens: 0,
      selfUse: false,
      warnBelow: 500,
      logConsume: true,
      dataExport: true,
      logReportedUsage: false,
      ...site.policy,
    },
    caller: {
      userId: 4,
      username: 'ann',
      tokenId: 5,
      tokenName: 'key',
      userGroup: 'default',
      ...site.caller,
    },
    request: { headers: { ...site.headers } },
    response: { headersSent: false, writeHead: () => undefined },
    route: { path: '/v1/chat/completions' },
    ...site.context,
  } as unknown as CallerContext;
}
export const request = (more: Partial<BillRequest> = {}): BillRequest => ({
  model: 'thinker',
  promptTokens: 10,
  maxOutputTokens: 5,
  format: {} as never,
  ...more,
});
export const text = { texts: ['x'], images: [], tokens: 0 };
export const outcome = (more: Partial<AttemptOutcome> = {}): AttemptOutcome =>
  ({
    usage: { promptTokens: 10, completionTokens: 5, cachedTokens: 4 },
    input: () => text,
    output: () => text,
    upstreamModel: 'thinker',
    stream: false,
    channel: { id: 7, provider: {} },
    steps: [{ channel: 6 }, { channel: 7 }],
    ...more,
  }) as unknown as AttemptOutcome;

/** What was held. */
export const held = () =>
  (done.find((one) => Array.isArray(one) && one[0] === 'hold') as unknown[])[1];
const settled = () =>
  (done.find((one) => Array.isArray(one) && one[0] === 'settle') as [string, ChargeRequest])[1];
/** Settles, and reads what was charged. */
export async function settle(bill: Promise<Bill>, more: Partial<AttemptOutcome> = {}) {
  await (await bill).settle(outcome(more));
  const charge = settled();
  const { other = '{}', ...row }: Partial<NewLog> = charge.log ?? {};
  return { charge, row, other: JSON.parse(other) as Record<string, unknown> };
}
