/** Recorded replies with missing or replaced values: decoders throw only the documented errors. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StreamPart } from '../../../src/core/canonical/chat-reply.ts';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import { createFrameReader } from '../../../src/core/canonical/kit/frames.ts';
import type { OperationAdapter } from '../../../src/core/canonical/provider.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { isObject, parseJson } from '../../../src/core/kernel/json.ts';
import { fc, runs } from '../../support/property.ts';
import { testCall } from './support/call.ts';
import { fixtureBytes, fixtureJson } from './support/decode.ts';
import { interfaces } from './support/interfaces.ts';

const fixtures = join(import.meta.dirname, '../../fixtures');
const folders = new Set(readdirSync(fixtures));
const models: Readonly<Record<string, string>> = { zhipu: 'chatglm_turbo' };
const junk: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  2 ** 52,
  '',
  'x',
  '{"a":',
  true,
  false,
  [],
  {},
  [null],
  [[]],
  [{}],
  { type: 1 },
];

/**
 * `chances`: one number from 0 to 999 for each visited value, reused from the start when they run
 * out.
 */
function spoil(value: unknown, chances: readonly number[]): unknown {
  let at = 0;
  const walk = (one: unknown): unknown => {
    const chance = chances[at++ % chances.length] ?? 0;
    if (chance < 100) return junk[chance % junk.length];
    if (Array.isArray(one)) return one.map(walk);
    if (!isObject(one)) return one;
    const entries = Object.entries(one).filter(
      (_, position) => chance < 900 || position % 3 !== chance % 3,
    );
    return Object.fromEntries(entries.map(([name, inner]) => [name, walk(inner)]));
  };
  return walk(value);
}

const chances = fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 40, maxLength: 40 });
const some = runs(40);

function checkParts(parts: readonly StreamPart[]): void {
  for (const part of parts) {
    if (part.type !== 'usage') continue;
    const { tiers = [], toolCalls = {}, others = [], statedCost = 0, ...rest } = part.usage;
    const { thinkingDropped: _, raw: __, cacheMiss = '', containers = [], ...figures } = rest;
    expect(cacheMiss.length).toBeLessThanOrEqual(100);
    for (const { id = 'c', size = '4g' } of containers)
      expect([id, size]).toEqual([
        expect.stringMatching(/^.{1,200}$/s),
        expect.stringMatching(/^[1-9]\d{0,2}g$/),
      ]);
    expect(Number.isFinite(statedCost) && statedCost >= 0).toBe(true);
    for (const tier of tiers) expect(tier).toMatch(/^[a-z][a-z0-9_-]+$/);
    const counts = [...Object.values(figures), ...Object.values(toolCalls)].filter(
      (count) => count !== undefined,
    );
    checkParts(others.map(({ usage }) => ({ type: 'usage', usage })));
    expect(counts.filter((count) => !Number.isInteger(count) || count < 0)).toEqual([]);
  }
}

/** Runs a function that may throw only errors the relay can report. */
function tolerate(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof AppError || error instanceof ReplyFailure)) throw error;
  }
}

for (const provider of interfaces.filter(({ slug }) => folders.has(slug))) {
  const recorded = readdirSync(join(fixtures, provider.slug));
  const call = testCall({ model: models[provider.slug] ?? 'a-model' });
  const { chat } = provider.operations;
  const create = chat?.createStreamDecoder;
  const adapters = Object.values(provider.operations).filter(
    (operation): operation is OperationAdapter<'chat'> =>
      operation !== undefined && 'decode' in operation && 'passThrough' in operation,
  );

  describe(`junk of ${provider.slug}`, () => {
    const streams =
      create === undefined ? [] : recorded.filter((name) => name.startsWith('stream-'));
    it.runIf(streams.length > 0)('in streams', () => {
      for (const name of streams) {
        const reader = createFrameReader(chat?.framing ?? 'sse');
        const events = [...reader.push(fixtureBytes(provider.slug, name)), ...reader.end()];
        const check = (given: readonly number[]) => {
          const decoder = create?.(call);
          for (const [at, event] of events.entries()) {
            const value = parseJson(event.data);
            const turned = [...given.slice(at % given.length), ...given];
            const data =
              value === undefined ? event.data : (JSON.stringify(spoil(value, turned)) ?? '');
            checkParts(decoder?.push({ ...event, data }) ?? []);
          }
          checkParts(decoder?.end() ?? []);
        };
        fc.assert(fc.property(chances, check), some);
      }
    });

    const replies = recorded.filter((name) => /^(?:reply|failure)-.*\.json$/.test(name));
    it.runIf(replies.length > 0)('in replies', () => {
      for (const name of replies) {
        const body = fixtureJson(provider.slug, name);
        const check = (given: readonly number[]) => {
          const spoilt = spoil(body, given);
          for (const adapter of adapters) tolerate(() => adapter.decode(spoilt, call));
          provider.readFailure({ status: 400, headers: {}, text: '', body: spoilt });
        };
        fc.assert(fc.property(chances, check), some);
      }
    });
  });
}
