/**
 * The chat models of this year in five callers' formats, whole and streamed: with tools, with every
 * effort of thinking, with a long context and a long answer, and with a cache that is read and
 * written. The vendors refuse what the real ones refuse (support/vendors-of-2026.ts); each request
 * costs what the vendor's list says, and its usage is that of the vendor.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CallBench, startCallBench } from '../../support/calls.ts';
import { type Caller, callersBothWays, question } from '../../support/five-callers.ts';
import { sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { type VendorReply, vendorReply } from '../../support/vendor-replies.ts';
import { type PriceRow, vendorPrices } from './support/prices-2026.ts';
import { shownUsage } from './support/shown-usage.ts';
import { refusalOf } from './support/vendors-of-2026.ts';
import {
  both,
  budget,
  cacheMarks,
  efforts,
  forced,
  grown,
  longOutput,
  penalties,
  plain,
  prefill,
  sampling,
  thinking,
  tools,
  type Wish,
} from './support/wishes-2026.ts';

const usual: VendorReply = { prompt: 40_000, output: 4000 };
const thought: VendorReply = { ...usual, thought: 3000 };

/** What the vendor says of a long prompt, some of which was cached: above the step, where it has one. */
function longReply({ step = [400_000, 1, 1] }: PriceRow): VendorReply {
  return { prompt: step[0] + 40_000, output: 4000, cached: 20_000 };
}

/** Of one that was read from the cache and written to it, in the vendor's own words. */
function cacheReply(slug: string, { write }: PriceRow): VendorReply {
  const read = { ...usual, cached: 8000 };
  if (write === undefined) return read;
  const written = { ...read, written: 12_000 };
  if (write[1] !== undefined) return { ...written, long: 4000 };
  if (slug !== 'ali') return written;
  const details = { cached_tokens: 8000, cache_creation_input_tokens: 12_000 };
  return { ...written, usage: { prompt_tokens_details: { ...details, cache_type: 'ephemeral' } } };
}

interface Column {
  readonly wish: Wish;
  readonly said: VendorReply;
}

function columnsOf(slug: string, known: PriceRow): readonly Column[] {
  return [
    ...[tools, forced, grown, prefill, sampling, penalties].map((wish) => ({ wish, said: usual })),
    ...efforts.map((effort) => ({ wish: thinking(effort), said: thought })),
    ...efforts.map((effort) => ({ wish: both(forced, thinking(effort)), said: thought })),
    { wish: both(grown, thinking('high')), said: thought },
    { wish: budget, said: thought },
    { wish: plain, said: longReply(known) },
    { wish: longOutput, said: longReply(known) },
    { wish: cacheMarks, said: cacheReply(slug, known) },
    { wish: both(cacheMarks, tools), said: cacheReply(slug, known) },
  ];
}

/** OpenAI's two wires are one in this: a chat may be served by Responses. */
function isOwnWire(slug: string, caller: Caller): boolean {
  if (slug === 'anthropic') return caller === 'messages';
  if (slug === 'gemini') return caller === 'Gemini';
  return caller === 'chat' || caller === 'Responses';
}

/** In quota: 500,000 a dollar. */
function priceOf(said: VendorReply, { input, output, read, write, step }: PriceRow): number {
  const { prompt, cached = 0, written = 0, long = 0 } = said;
  const [times, outputTimes] = step !== undefined && prompt > step[0] ? step.slice(1) : [1, 1];
  const [usualWrite, longWrite = 0] = write ?? [0];
  const asked =
    (prompt - cached - written) * input +
    cached * read +
    (written - long) * usualWrite +
    long * longWrite;
  return Math.round((asked * (times ?? 1) + said.output * output * (outputTimes ?? 1)) / 2);
}

let bench: CallBench;
const upstreams: TestUpstream[] = [];
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;
/** What the vendors say of the next request, and what they refused. */
let said: VendorReply;
const refused: string[] = [];
beforeAll(async () => {
  bench = await startCallBench('none');
  for (const { slug, type, rows } of vendorPrices) {
    const upstream = await startUpstream();
    upstreams.push(upstream);
    upstream.answer((response, request) => {
      const { path, json } = request;
      const model = /models\/([^:]+):/.exec(path)?.[1] ?? String(json['model']);
      const url = path.split('?', 1)[0] ?? '';
      const body = JSON.parse(JSON.stringify(json));
      const why = refusalOf(slug, model, { url, body, forwarded: false });
      if (why === undefined) return vendorReply(said)(response, request);
      refused.push(why);
      sendJson(response, 400, { error: { message: why } });
    });
    const models = rows.map(({ model }) => model).join(',');
    await bench.gateway.addChannel({ type, baseUrl: upstream.url, models });
  }
  customer = await bench.gateway.addCustomer(1e13);
});
// DeepSeek's prices are those of its peak hours.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-25T02:00:00Z') });
});
afterAll(() => Promise.all([bench.close(), ...upstreams.map((upstream) => upstream.close())]));

for (const { slug, rows } of vendorPrices)
  describe.each(rows)(`${slug}: $model`, (known) => {
    it.each(callersBothWays)('%s callers, streamed %s', async (caller, stream) => {
      const columns = columnsOf(slug, known).filter(
        ({ wish }) => wish !== longOutput || !isOwnWire(slug, caller),
      );
      const before = await bench.spent(customer.userId);
      for (const { wish, said: answered } of columns) {
        said = answered;
        refused.splice(0);
        const more = {
          ...wish.of[caller],
          ...(caller === 'chat' && stream ? { stream_options: { include_usage: true } } : {}),
        };
        const { path, body } = question(caller, known.model, stream, more);
        const reply = await bench.post(path, customer.key, JSON.stringify(body));
        const text = await reply.text();
        const shown = { prompt: said.prompt, output: said.output };
        expect([wish.name, refused, reply.status, shownUsage(caller, text)], text).toEqual([
          wish.name,
          [],
          200,
          shown,
        ]);
      }
      // The newest first; read once, because a call costs as much as a request.
      const { items: rows } = await bench.gateway.client.log.list({
        username: customer.username,
        type: 2,
        page_size: columns.length,
      });
      const charged = rows.toReversed().map(({ quota }) => quota);
      const named = (prices: readonly number[]) =>
        columns.map(({ wish }, index) => [wish.name, prices[index]]);
      const prices = columns.map(({ said: answered }) => priceOf(answered, known));
      expect(named(charged)).toEqual(named(prices));
      const spent = (await bench.spent(customer.userId)) - before;
      expect(spent).toBe(prices.reduce((sum, price) => sum + price));
    });
  });
