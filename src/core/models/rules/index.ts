/** All rules of the built-in catalogue. */
import type { ModelRule } from '../schema.ts';
import { anthropicRules } from './anthropic.ts';
import { googleRules } from './google.ts';
import { openaiRules } from './openai.ts';
import { otherRules } from './others.ts';

export const modelRules: readonly ModelRule[] = [
  ...openaiRules,
  ...anthropicRules,
  ...googleRules,
  ...otherRules,
];
