import { expect, test } from 'vitest';
import { countImages } from '../../../src/core/metering/count.ts';
import { imageRuleOf, imageTokens } from '../../../src/core/metering/image-tokens.ts';

// The examples of OpenAI's guide to images are marked.
test.each([
  ['gpt-4o', 1024, 1024, undefined, 765], // guide
  ['gpt-4o', 2048, 4096, undefined, 1105], // guide
  ['gpt-4o', 4096, 8192, 'low', 85], // guide
  ['gpt-4o', 768, 768, 'high', 765],
  ['gpt-4.5-preview', 1024, 1024, 'auto', 765],
  ['gpt-4-turbo', 512, 512, undefined, 765],
  ['gpt-4o-mini', 1024, 1024, undefined, 2833 + 4 * 5667],
  ['gpt-5', 1024, 1024, undefined, 70 + 4 * 140],
  ['gpt-5', 1024, 1024, 'low', 70],
  ['o3', 1024, 1024, undefined, 75 + 4 * 150],
  ['computer-use-preview', 1024, 1024, undefined, 65 + 4 * 129],
  ['gpt-4.1-mini', 1024, 1024, undefined, Math.ceil(1024 * 1.62)], // guide: 1,024 patches
  ['gpt-4.1-mini', 1800, 2400, undefined, Math.ceil(1452 * 1.62)], // guide: 1,452 patches
  ['gpt-4.1-nano', 33, 1, undefined, Math.ceil(2 * 2.46)],
  ['o4-mini', 64, 64, undefined, Math.ceil(4 * 1.72)],
  ['gpt-5-nano', 100_000, 1, undefined, Math.ceil(1536 * 2.46)],
  ['glm-4v', 1024, 1024, undefined, 1047],
  ['openai/gpt-4o', 1024, 1024, undefined, 765],
])('%s, %d × %d, detail %s: %d', (model, width, height, detail, tokens) => {
  expect(imageTokens(model, { width, height }, detail)).toBe(tokens);
});

test('by its address an image counts three times the base', () => {
  expect(imageTokens('gpt-4o', undefined)).toBe(255);
  expect(imageTokens('gpt-5', undefined)).toBe(210);
  expect(imageTokens('gpt-4o', undefined, 'low')).toBe(85);
});

test('other vendors have no rule', () => {
  expect(imageTokens('claude-3-5-sonnet-20241022', { width: 10, height: 10 })).toBeUndefined();
});

test('an image without an end is no fortune', () => {
  expect(imageTokens('gpt-4o', { width: 1, height: 65_535 })).toBe(85 + 4 * 170);
});

test('what lies beside the head of an image in memory is not read', () => {
  const { buffer, byteOffset } = Buffer.allocUnsafe(1);
  // Small buffers share memory; with this behind it, the next one would be a TGA of 2048 × 4096.
  const behind = new Uint8Array(buffer, byteOffset + 8);
  behind.set([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x08, 0x00, 0x10]);
  expect(countImages([{ head: 'AAAA' }], imageRuleOf('gpt-4o'))).toBe(255);
});
