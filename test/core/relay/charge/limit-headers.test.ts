/** What a reply says of limits (docs/rules/relay.md#limit-headers). */
import { expect, it } from 'vitest';
import { openBill } from '../../../../src/core/relay/charge/bill.ts';
import { showLimit } from '../../../../src/core/relay/charge/limit-headers.ts';
import type { CallerContext } from '../../../../src/core/relay/context.ts';
import { contextOf, request } from './bill-bench.ts';

type Allowance = Parameters<typeof showLimit>[1];

const limit = (unit: Allowance['unit'], left: number): Allowance => ({
  unit,
  limit: 10,
  left,
  resetMs: 1500,
});

/** The headers of a reply after these limits were shown. */
function shown(
  limits: readonly Allowance[],
  { headersSent = false, family = {} }: { headersSent?: boolean; family?: object } = {},
) {
  const sent: Record<string, unknown>[] = [];
  const response = {
    headersSent,
    writeHead: (_: number, headers: Record<string, unknown>) => void sent.push(headers),
  };
  const context = { response, route: { family }, deps: { clock: { now: () => 77 } } };
  for (const one of limits) showLimit(context as unknown as CallerContext, one);
  response.writeHead(200, {});
  return sent[0];
}

it('names the limit that is nearer to its end, in whatever order they are known', () => {
  const of = (left: string) => ({
    'x-ratelimit-limit-requests': '10',
    'x-ratelimit-remaining-requests': left,
    'x-ratelimit-reset-requests': '1.5s',
  });
  const [near, far] = [limit('requests', 3), limit('requests', 7)];
  expect([shown([near, far]), shown([far, near]), shown([near])]).toEqual([
    of('3'),
    of('3'),
    of('3'),
  ]);
});

it('names limits of tokens beside those of requests', () => {
  expect(Object.keys(shown([limit('requests', 3), limit('tokens', 9)]) ?? {})).toEqual(
    ['requests', 'tokens'].flatMap((unit) =>
      ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${unit}`),
    ),
  );
});

it('speaks as the API of the caller does, by the time of now', () => {
  const limitHeaders = ({ left }: Allowance, now: number) => ({ left: `${left} at ${now}` });
  expect(shown([limit('requests', 3)], { family: { limitHeaders } })).toEqual({ left: '3 at 77' });
});

it('says nothing in a reply that has begun', () => {
  expect(shown([limit('requests', 3)], { headersSent: true })).toEqual({});
});

it('is shown of each rate beside a hold', async () => {
  type Show = { show: (room: readonly object[]) => void };
  const rate = (unit: string, left: number) => ({ unit, limit: 10, left, resetMs: 0 });
  const budgets = {
    windowsOf: () => undefined,
    enterRates: ({ show }: Show) => void show([rate('requests', 4), rate('tokens', 5)]),
  };
  const context = contextOf({ deps: { budgets }, context: { route: { family: {} } } });
  await openBill(context, request());
  expect(context.response.addedHeaders).toMatchObject({
    'x-ratelimit-remaining-requests': '4',
    'x-ratelimit-remaining-tokens': '5',
  });
});
