/** All rules of the built-in catalogue. */
import type { ModelRule } from '../schema.ts';
import { anthropicRules } from './anthropic.ts';
import { googleRules } from './google.ts';
import { modalityRules } from './modalities.ts';
import { openaiRules } from './openai.ts';
import { otherRules } from './others.ts';
import { priceRules } from './prices.ts';

export const modelRules: readonly ModelRule[] = [
  // Before the others: the last rule that fits names the family.
  ...priceRules,
  ...modalityRules,
  ...openaiRules,
  ...anthropicRules,
  ...googleRules,
  ...otherRules,
];
