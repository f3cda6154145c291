import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testCall } from './support/call.ts';
import { decodeChunks, fixtureBytes } from './support/decode.ts';
import { interfaces } from './support/interfaces.ts';

const fixtures = join(import.meta.dirname, '../../fixtures');
const folders = new Set(readdirSync(fixtures));

/**
 * The models that the streams were recorded with, where a provider decodes other models
 * differently.
 */
const models: Readonly<Record<string, string>> = { zhipu: 'chatglm_turbo' };

const isUnterminated = (name: string) => name.startsWith('stream-unterminated.');

for (const provider of interfaces.filter(({ slug }) => folders.has(slug))) {
  const adapter = provider.operations.chat;
  const recorded = readdirSync(join(fixtures, provider.slug)).filter((name) =>
    name.startsWith('stream-'),
  );
  const create = adapter?.createStreamDecoder;
  if (adapter?.framing === undefined || create === undefined) continue;
  const { framing } = adapter;
  const call = testCall({ model: models[provider.slug] ?? 'a-model' });
  const decode = (chunks: readonly Uint8Array[]) =>
    decodeChunks(chunks, framing, create(call, undefined));

  describe(`streams of ${provider.slug}`, () => {
    it('are recorded', () => expect(recorded.length).toBeGreaterThan(0));

    it.each(recorded)('%s decodes the same for every split into chunks', (name) => {
      const bytes = fixtureBytes(provider.slug, name);
      const whole = decode([bytes]);
      for (let at = 1; at < bytes.length; at++) {
        expect(decode([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual(whole);
      }
      expect(decode(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(whole);
    });

    // Where the adapter does not report the break, the relay does
    // (docs/rules/streams.md#broken-streams).
    it.each(recorded.filter(isUnterminated))('%s has no finish', (name) => {
      const parts = decode([fixtureBytes(provider.slug, name)]);
      expect(parts.filter(({ type }) => type === 'finish')).toEqual([]);
      expect(parts.filter(({ type }) => type === 'error').length).toBeLessThanOrEqual(1);
    });

    it.each(recorded.filter((name) => !isUnterminated(name)))(
      '%s ends with one finish per choice, or with one error',
      (name) => {
        const parts = decode([fixtureBytes(provider.slug, name)]);
        const finishes = parts.flatMap((part) =>
          part.type === 'finish' ? [part.choice ?? 0] : [],
        );
        const errors = parts.filter((part) => part.type === 'error');
        expect(new Set(finishes).size).toBe(finishes.length);
        const spoken = new Set(
          parts.flatMap((part) =>
            'choice' in part || part.type === 'text-delta' ? [part.choice ?? 0] : [],
          ),
        );
        if (errors.length === 0)
          expect(new Set(finishes)).toEqual(spoken.size > 0 ? spoken : new Set([0]));
        else expect([errors.length, finishes.length]).toEqual([1, 0]);
      },
    );
  });
}
