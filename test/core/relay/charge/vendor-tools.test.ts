// Covers src/core/relay/charge/tool-use.ts, src/core/relay/charge/rollup-of.ts.
/** Tools of vendors that no figure of a reply counts, and the hourly sum of a charge. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Usage } from '../../../../src/core/canonical/usage.ts';
import { readDetails } from '../../../../src/core/pricing/details.ts';
import type { AttemptOutcome } from '../../../../src/core/relay/attempt.ts';
import { rollupOf } from '../../../../src/core/relay/charge/rollup-of.ts';
import { withToolUse } from '../../../../src/core/relay/charge/tool-use.ts';
import type { CallerContext } from '../../../../src/core/relay/context.ts';

describe('tools that vendors run', () => {
  const details = readDetails({ tools: { container_minute: 0.0015, $web: 0.01 } });
  const usage: Usage = { promptTokens: 10, completionTokens: 5, toolCalls: { web_search: 1 } };
  const outcome = (more: Partial<AttemptOutcome>, called?: readonly string[]) =>
    ({
      usage,
      ...more,
      output: () => ({ texts: [], images: [], tokens: 0, called }),
    }) as AttemptOutcome;
  const claims: unknown[][] = [];
  beforeEach(() => void claims.splice(0));
  const claim = { minutes: { container_minute: 5 } };
  const context = {
    deps: {
      containers: {
        claim: async (...given: unknown[]) => {
          claims.push(given);
          return claim;
        },
      },
    },
    caller: { userId: 4 },
    startedAt: 100,
  } as unknown as CallerContext;
  const use = (...[given, known, extras]: [AttemptOutcome, typeof details?, object?]) =>
    withToolUse(context, given, known, extras as never, 900);

  it('count the functions that the answer calls', () => {
    const extras = { toolCalls: { $web: 1, $draw: 1, web_search: 3 } };
    expect(use(outcome({}, ['$web', 'mine', '$web']), details, extras)).toMatchObject({
      usage: { promptTokens: 10, toolCalls: { web_search: 1, $web: 2, $draw: 0 } },
    });
    expect(use(outcome({}), details, extras)).toMatchObject({
      usage: { toolCalls: { web_search: 1, $web: 0 } },
    });
  });

  it('leave other answers as they are', () => {
    const given = outcome({}, ['$web']);
    for (const extras of [undefined, {}, { toolCalls: { web_search: 3 } }])
      expect(use(given, details, extras)).toBe(given);
    expect(use(given, undefined, { toolCalls: { $web: 1 } })).toBe(given);
    const silent = outcome({ usage: undefined }, ['$web']);
    expect(use(silent, details, { toolCalls: { $web: 1 } })).toBe(silent);
  });

  it('claim the minutes of containers, from the start of the answer on', async () => {
    const containers = [{ id: 'c' }] as never;
    const given = outcome({ usage: { ...usage, containers } });
    expect(await use(given, details)).toMatchObject({
      claim,
      usage: { toolCalls: { web_search: 1, container_minute: 5 } },
    });
    await use({ ...given, startedAt: 300 }, details, {});
    expect(claims).toEqual([
      [containers, 4, 100, 900],
      [containers, 4, 300, 900],
    ]);
    expect(use(given, details, { freesContainers: true })).toBe(given);
    const free = await use(given, readDetails({ tools: { web_search: 0.01 } }));
    expect(free).toMatchObject({ claim: undefined, usage: { toolCalls: { web_search: 1 } } });
    expect(claims).toHaveLength(2);
  });
});

it('an hourly sum has the hour of the charge, and the key and the tags where there are any', () => {
  const context = {
    caller: { userId: 4, username: 'ann' },
    deps: { summedTags: { of: (...given: unknown[]) => given } },
  } as unknown as CallerContext;
  const sum = { modelName: 'm', tokens: 9, cost: 5, tags: [], keyName: undefined, now: 7_300_000 };
  const plainSum = { modelName: 'm', username: 'ann', hour: 7200, tokens: 9, cost: 5 };
  expect(rollupOf(context, sum)).toStrictEqual(plainSum);
  expect(rollupOf(context, { ...sum, keyName: 'k', tags: ['x'] })).toStrictEqual({
    ...plainSum,
    keyName: 'k',
    tags: [4, 7200, ['x']],
  });
});
