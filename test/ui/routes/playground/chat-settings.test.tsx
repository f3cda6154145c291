// @vitest-environment happy-dom
/** The longest answer that the playground asks for is the one that the catalogue knows of the model. */
import { expect, it } from 'vitest';
import type { CatalogModel } from '../../../../src/core/contract/model-square.ts';
import { isLength } from '../../../../src/ui/routes/playground/chat/settings.tsx';

const modelOf = (output_limit: number) => ({ output_limit }) as CatalogModel;

it.each([
  [393_216, modelOf(393_216), true],
  [393_217, modelOf(393_216), false],
  [65_537, modelOf(65_536), false],
  [163_840, modelOf(0), true],
  [163_841, modelOf(0), false],
  [163_841, undefined, false],
  [0, modelOf(65_536), false],
])('%i tokens', (tokens, model, isAllowed) => {
  expect(isLength(tokens, model)).toBe(isAllowed);
});
