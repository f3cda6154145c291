/** All rules of the built-in catalogue. */
import type { ModelRule } from '../schema.ts';
import { anthropicRules } from './anthropic.ts';
import { googleRules } from './google.ts';
import { hostedToolRules } from './hosted-tools.ts';
import { openaiRules } from './openai.ts';
import { otherRules } from './others.ts';

export const modelRules: readonly ModelRule[] = [
  ...hostedToolRules,
  ...openaiRules,
  ...anthropicRules,
  ...googleRules,
  ...otherRules,
];
