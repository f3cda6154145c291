/**
 * Whole conversations with thinking and tools, by the official SDKs, at every vendor that thinks:
 * thinking stays on in every turn, comes back where it was made, and nothing is refused
 * (docs/rules/formats.md#thinking-kept).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { type ClientName, clients, ownWay } from './clients.ts';
import type { Vendor } from './vendor.ts';
import { vendors } from './vendors.ts';
import { answersFor, serve, users, type Watched } from './watched.ts';

const metricsToken = 'a-token-of-metrics-0123456789abcdef';
let serial = 0;
let gateway: TestGateway;
const upstreams = new Map<string, TestUpstream>();

beforeAll(async () => {
  gateway = await startTestGateway({ METRICS_TOKEN: metricsToken });
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.set('RetryTimes', 8);
  for (const [name, vendor] of Object.entries(vendors)) {
    const upstream = await startUpstream();
    upstreams.set(name, upstream);
    upstream.answer((response, request) => serve(vendor, response, request));
    for (const channel of ['a', 'b'])
      await gateway.addChannel({
        type: 1,
        baseUrl: upstream.url,
        models: vendor.model,
        key: [1, 2, 3].map((number) => vendor.keyOf(`${channel}${number}`)).join('\n'),
        ...vendor.channel,
      });
  }
});
afterAll(async () => {
  await gateway.close();
  for (const upstream of upstreams.values()) await upstream.close();
});

/** The conversation goes out as it comes: its vendor gets what its own client returns. */
const ownFormat: Readonly<Record<string, readonly string[]>> = {
  messages: ['Claude with a budget', 'Claude, adaptive', 'Bedrock, invoke'],
  gemini: ['gemini-3.1-pro-preview', 'gemini-4-carbon'],
  responses: ['OpenAI', 'Responses without a memory'],
};

const cases = Object.keys(vendors).flatMap((vendor, row) =>
  (Object.keys(clients) as ClientName[]).flatMap((client, column) =>
    [true, false]
      .filter((keeps) => keeps || !ownWay.includes(client))
      .filter((keeps) => keeps || ownFormat[client]?.includes(vendor) !== true)
      .flatMap((keeps) =>
        [true, false].map((stream) => ({
          vendor,
          client,
          keeps,
          stream,
          returns: keeps ? 'all' : 'no thinking',
          how: stream ? 'streamed' : 'whole',
          /** Half of the cases, in which every pair of vendor and client has one of its manners. */
          isEven: (keeps === stream) === ((row + column) % 2 === 0),
        })),
      ),
  ),
);

/** Another model of a vendor whose first one is asked in all manners. */
const second = 'gemini-4-carbon';
/** Clients that run the loop themselves and second models: one manner here, the other when moved. */
const staying = cases.filter(
  ({ vendor, client, isEven }) => isEven || (vendor !== second && !ownWay.includes(client)),
);
const moved = cases.filter(({ isEven }) => !isEven);

interface Case {
  readonly vendor: string;
  readonly client: ClientName;
  readonly keeps: boolean;
  readonly stream: boolean;
}

async function converse({ vendor: name, client, keeps, stream }: Case, moves: boolean) {
  const vendor = vendors[name] as Vendor;
  const { key } = await gateway.addCustomer(1_000_000_000);
  const tag = `user-${++serial}`;
  const watched: Watched = { seen: [], foreign: [], down: undefined };
  users.set(tag, watched);
  let turn = 0;
  const answers = await clients[client]({
    url: gateway.url,
    key,
    model: vendor.model,
    stream,
    keeps,
    adaptive: vendor.adaptive === true,
    questions: [`I am ${tag}. Look at the sky.`, 'And now?'],
    beforeTurn: () => {
      turn += 1;
      if (moves && turn === 3) watched.down = watched.seen.at(-1)?.account;
    },
  });
  return { tag, watched, answers };
}

describe.concurrent('conversations that stay', () => {
  it.each(staying)('$vendor, $client, $how, returning $returns', async (given) => {
    const { tag, watched, answers } = await converse(given, false);
    expect(watched.seen.map(({ refused }) => refused)).toEqual(Array(4).fill(undefined));
    expect(answers).toEqual(answersFor(tag));
    expect(watched.foreign).toEqual([]);
    expect(watched.seen.map(({ thinks }) => thinks)).toEqual(Array(4).fill(true));
    expect(watched.seen.map(({ lost }) => lost)).toEqual(Array(4).fill([]));
    expect(new Set(watched.seen.map(({ account }) => account)).size).toBe(1);
  });
});

describe.concurrent('conversations whose account fails midway', () => {
  it.each(moved)('$vendor, $client, $how, returning $returns', async (given) => {
    const { tag, watched, answers } = await converse(given, true);
    expect(watched.seen.map(({ refused }) => refused)).toEqual(Array(4).fill(undefined));
    expect(answers).toEqual(answersFor(tag));
    expect(watched.foreign).toEqual([]);
    const { isShared, maker } = vendors[given.vendor] as Vendor;
    // What only the lost account could read is gone; all other thinking goes along.
    if (isShared === true || maker === undefined)
      expect(watched.seen.map(({ lost }) => lost)).toEqual(Array(4).fill([]));
    const accounts = watched.seen.map(({ account }) => account);
    expect(new Set(accounts.slice(0, 2)).size).toBe(1);
    expect(new Set(accounts.slice(2)).size).toBe(1);
    expect(accounts[2]).not.toBe(accounts[1]);
  });
});

it('what kept conversations read from caches is measured, beside what moved ones paid', async () => {
  const reply = await fetch(`${gateway.url}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  });
  const text = await reply.text();
  const value = (affinity: string, kind: string) => {
    const name = `turnpike_conversation_tokens_total{affinity="${affinity}",kind="${kind}"}`;
    const line = text.split('\n').find((one) => one.startsWith(name));
    return Number(line?.slice(name.length));
  };
  expect(value('kept', 'cached') / value('kept', 'prompt')).toBeGreaterThan(0.75);
  expect(value('moved', 'cached') / value('moved', 'prompt')).toBeLessThan(0.05);
});
