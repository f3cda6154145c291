import { expect, it } from 'vitest';
import { countingOf, isFixedPrice } from '../../../src/core/pricing/counting.ts';

const counted = (request_path?: unknown) => ({ usage_source: 'counted', request_path });

it.each([
  ['dall-e-3', { image_count: 2, ...counted('/v1/images/generations') }, 'images'],
  ['gpt-4o', { usage_source: 'upstream', request_path: '/v1/audio/speech' }, undefined],
  ['gpt-4o', {}, undefined],
  ['tts-1', counted('/v1/audio/speech'), 'characters'],
  ['gpt-4o-mini-tts', counted('/v1/audio/speech'), 'seconds'],
  ['whisper-1', counted('/v1/audio/transcriptions'), 'seconds'],
  ['whisper-1', counted('/v1/audio/translations'), 'seconds'],
  ['m', counted('/v1/audio/transcriptions/x'), 'text'],
  ['m', counted('/v1/audio/speech/x'), 'text'],
  ['m', counted('/v1/chat/completions'), 'text'],
  ['m', counted(), 'text'],
])('a row of %s with %j is explained by its %s', (model, other, counting) => {
  expect(countingOf(model, other)).toBe(counting);
});

it.each([
  [{ model_price: 0.04, model_ratio: 0 }, true],
  [{ model_price: 0.04, model_ratio: 3 }, true],
  [{ model_price: 0, model_ratio: 0 }, true],
  [{ model_price: 0 }, true],
  [{ model_price: 0, model_ratio: '3' }, true],
  [{ model_price: 0, model_ratio: 3 }, false],
  [{ model_price: -1, model_ratio: 3 }, false],
  [{ model_price: -1, model_ratio: 0 }, false],
  [{ model_price: '0.04', model_ratio: 0 }, false],
  [{ model_price: Number.NaN }, false],
  [{ model_price: Number.POSITIVE_INFINITY }, false],
  [{}, false],
])('%j is charged by the call: %s', (other, fixed) => {
  expect(isFixedPrice(other)).toBe(fixed);
});
