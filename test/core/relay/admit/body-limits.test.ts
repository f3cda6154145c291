// Covers src/core/relay/admit/read-format-body.ts.
/**
 * How large a body may be is decided before it is read (docs/rules/relay.md#body-without-balance).
 */
import { describe, expect, it } from 'vitest';
import { bodyLimits } from '../../../../src/core/relay/admit/read-format-body.ts';
import type { CallerContext } from '../../../../src/core/relay/context.ts';

const megabyte = 1024 * 1024;

function contextWith(headers: Record<string, string>, quota: number, groupRatio = 1) {
  let lookups = 0;
  const context = {
    request: { headers },
    deps: {
      limits: { maxBodyBytes: 128 * megabyte },
      ledger: {
        balance: async () => {
          lookups += 1;
          return { quota, held: 0 };
        },
      },
    },
    policy: {
      prices: {
        groupRatio: new Map([['default', { digits: BigInt(groupRatio), scale: 0 }]]),
        groupGroupRatio: new Map(),
      },
    },
    caller: { userId: 1, userGroup: 'default' },
    group: 'default',
  } as unknown as CallerContext;
  return { context, lookups: () => lookups };
}

const length = (bytes: number) => ({ 'content-length': String(bytes) });

describe('a caller without balance', () => {
  it.each([
    ['compressed', { ...length(100), 'content-encoding': 'gzip' }],
    ['of unknown size', {}],
    ['large', length(50 * megabyte)],
  ])('may send little of a body that is %s', async (_, headers) => {
    const { context } = contextWith(headers, 0);
    const { maxBytes, tooLarge } = await bodyLimits(context);
    expect(maxBytes).toBe(4 * megabyte);
    expect(tooLarge?.().code).toBe('insufficient_user_quota');
  });

  it('may send all of it where the group is free', async () => {
    const { context, lookups } = contextWith({}, 0, 0);
    expect(await bodyLimits(context)).toMatchObject({ maxBytes: 128 * megabyte });
    expect(lookups()).toBe(0);
  });
});

it('the balance is not looked up for a plain body of known, small size', async () => {
  const { context, lookups } = contextWith(length(megabyte), 0);
  expect((await bodyLimits(context)).tooLarge).toBeUndefined();
  expect(lookups()).toBe(0);
});

it('a caller with balance may send all of it', async () => {
  const { context, lookups } = contextWith({}, 1);
  expect(await bodyLimits(context)).toMatchObject({ maxBytes: 128 * megabyte });
  expect(lookups()).toBe(1);
});
