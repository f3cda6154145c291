// Covers src/core/providers/360, src/core/providers/ai-proxy, src/core/providers/baidu-v2,
// src/core/providers/fastgpt, src/core/providers/jina, src/core/providers/lingyi,
// src/core/providers/moka, src/core/providers/palm, src/core/providers/perplexity,
// src/core/providers/xinference.
/**
 * Every provider through the whole gateway: a scripted HTTP upstream, a caller's request and the
 * charge. A provider's cases are in `cases/<slug>.ts`; an operation without a case, plain or
 * streamed, fails.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChannelCatalog } from '../../../src/core/channels/channel-catalog.ts';
import { readLogOther } from '../../../src/core/contract/log-other.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { type Logger, silentLogger } from '../../../src/core/kernel/logger.ts';
import { builtInProviders } from '../../../src/core/providers/index.ts';
import type { Operation } from '../../../src/core/vocabulary/operations.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startUpstream } from '../../support/upstream.ts';
import type { ClientReply, CustomUpstream, ProviderCase } from './support/case.ts';

const folder = join(import.meta.dirname, 'cases');
/** Operations that every provider which supports them can stream. */
const streamed = new Set<Operation>(['chat', 'completion', 'responses']);
/** Relayed frame by frame and tested in test/core/relay/realtime. */
const elsewhere = new Set<Operation>(['realtime']);

let gateway: TestGateway;
/** Of all cases: what a case is charged is found by its channel, which no other one has. */
let customer: Awaited<ReturnType<TestGateway['addCustomer']>>;
/** What the process log says of attempts that failed. */
const failedAttempts: object[] = [];
const logger: Logger = {
  ...silentLogger,
  warn: (fields, message) => {
    if (message === 'an attempt failed' && typeof fields === 'object') failedAttempts.push(fields);
  },
};

beforeAll(async () => {
  gateway = await startTestGateway(
    { FETCH_ALLOW_PRIVATE: 'true', FETCH_ALLOWED_PORTS: '0' },
    undefined,
    undefined,
    logger,
  );
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.set('LogReportedUsage', true);
  customer = await gateway.addCustomer(1e12);
});
afterAll(() => gateway.close());

async function readCases(slug: string): Promise<readonly ProviderCase[]> {
  const file = join(folder, `${slug}.ts`);
  if (!existsSync(file)) return [];
  return ((await import(file)) as { cases: readonly ProviderCase[] }).cases;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readEvents(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => parse(line.slice(6)) ?? line.slice(6));
}

async function openUpstream({
  customUpstream,
  upstreamReplies = [],
}: ProviderCase): Promise<CustomUpstream> {
  if (customUpstream !== undefined) return customUpstream();
  const scripted = await startUpstream();
  scripted.answer(...upstreamReplies);
  return scripted;
}

async function run(type: number, one: ProviderCase): Promise<void> {
  const upstream = await openUpstream(one);
  const channel = await gateway.addChannel({
    type,
    baseUrl: upstream.url + (one.basePath ?? ''),
    models: one.model,
    ...one.channel,
    ...one.channelAt?.(upstream.url),
  });
  try {
    const form = one.body instanceof FormData;
    const reply = await fetch(gateway.url + one.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${customer.key}`,
        'accept-language': 'en',
        ...(form ? {} : { 'content-type': 'application/json' }),
        ...one.headers,
      },
      body: form ? (one.body as FormData) : JSON.stringify(one.body),
    });
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const expectReply: ClientReply = {
      status: reply.status,
      headers: reply.headers,
      text,
      json: parse(text),
      events: readEvents(text),
      bytes,
    };
    one.expectRequests(upstream.requests);
    one.expectReply(expectReply);
    if (one.reported !== undefined) expect(failedAttempts.at(-1)).toMatchObject(one.reported);
    if (one.billed !== undefined) {
      const { items } = await gateway.client.log.list({ channel, type: 2, page_size: 1 });
      expect({ prompt: items[0]?.prompt_tokens, completion: items[0]?.completion_tokens }).toEqual(
        one.billed,
      );
      expectReportedUsage(items[0]?.other ?? '');
    }
    if (one.counted) {
      const { items } = await gateway.client.log.list({ channel, type: 2, page_size: 1 });
      expect(JSON.parse(items[0]?.other ?? '{}')).toMatchObject({ usage_source: 'counted' });
      expect(
        Math.min(items[0]?.prompt_tokens ?? 0, items[0]?.completion_tokens ?? 0),
      ).toBeGreaterThan(0);
    }
  } finally {
    await gateway.client.channel.remove({ id: channel });
    await upstream.close();
  }
}

/** What was charged by the upstream's figures has them in the upstream's own words, too. */
function expectReportedUsage(text: string): void {
  const { usage_source, admin_info } = readLogOther(text);
  const usages = admin_info?.route?.at(-1)?.reported_usage;
  if (usage_source === 'upstream') expect(numbersIn(usages)).not.toEqual([]);
}

function numbersIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((member) => numbersIn(member))
    : [];
}

function nameOf({ operation, stream, title }: ProviderCase): string {
  return [operation, stream === true ? 'streamed' : 'plain', title ?? '']
    .filter((word) => word !== '')
    .join(', ');
}

for (const { type, slug: typeSlug, name, operations } of createChannelCatalog(
  builtInProviders,
  systemClock,
).types()) {
  const provider = builtInProviders.forType(type);
  if (provider === undefined) continue;
  // Vendors of long work alone are tested in test/core/relay/tasks.
  if (operations.length === 0 && provider.tasks !== undefined) continue;
  const cases = (await readCases(provider.slug)).filter(
    ({ types }) => types === undefined || types.includes(type),
  );

  describe(`${type} ${name} (${typeSlug})`, () => {
    for (const operation of operations) {
      if (elsewhere.has(operation)) continue;
      const kinds = streamed.has(operation) ? [false, true] : [false];
      for (const stream of kinds) {
        const mine = cases.filter(
          (one) => one.operation === operation && (one.stream ?? false) === stream,
        );
        if (mine.length === 0) {
          it(`${operation}, ${stream ? 'streamed' : 'plain'}`, () =>
            expect.fail(`cases/${provider.slug}.ts has no such case`));
        }
        for (const one of mine) it(nameOf(one), () => run(type, one));
      }
    }
    for (const one of cases.filter(({ operation }) => !operations.includes(operation))) {
      it(nameOf(one), () => expect.fail(`the provider does not offer ${one.operation}`));
    }
  });
}

it('has providers', () => expect(builtInProviders.all.length).toBeGreaterThan(0));
