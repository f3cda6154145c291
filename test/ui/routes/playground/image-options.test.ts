import { expect, test } from 'vitest';
import { knownFacts } from '../../../../src/core/catalog/known-facts.ts';
import { knownModels } from '../../../../src/core/models/known-models.ts';
import { imageOptions } from '../../../../src/ui/routes/playground/image/image-options.ts';

test('what a model for images can be given is what the catalogue says of its name', () => {
  const of = (model: string) => imageOptions(knownFacts(model));
  expect(of('gpt-image-2')).toMatchObject({
    qualities: ['auto', 'low', 'medium', 'high'],
    most: 10,
  });
  expect(of('openai/chatgpt-image-latest').sizes[0]).toBe('auto');
  expect(of('dall-e-3')).toMatchObject({ qualities: ['standard', 'hd'], most: 1 });
  expect(of('dall-e-2')).toMatchObject({
    sizes: ['1024x1024', '512x512', '256x256'],
    qualities: [],
  });
  // Others take what most take.
  expect(of('flux-pro')).toEqual(imageOptions(undefined));
  expect(of('flux-pro').most).toBe(4);
});

test('a model that is added while it runs brings its own', () => {
  const images = { sizes: ['64x64'], qualities: [], most: 2 };
  const origin = { source: 'https://example.com/', seen: '2026-11-29' };
  const { rules, rows } = knownModels.added;
  knownModels.replaceAdded({ rules, rows: [...rows, { name: 'painter-9', images, ...origin }] });
  try {
    expect(imageOptions(knownFacts('painter-9'))).toEqual(images);
  } finally {
    knownModels.replaceAdded({ rules, rows });
  }
});
