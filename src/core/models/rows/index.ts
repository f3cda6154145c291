/** All rows of the built-in catalogue. */
import type { ModelRow } from '../schema.ts';
import { anthropicRows } from './anthropic.ts';
import { googleRows } from './google.ts';
import { openaiRows } from './openai.ts';
import { otherRows } from './others.ts';

export const modelRows: readonly ModelRow[] = [
  ...openaiRows,
  ...anthropicRows,
  ...googleRows,
  ...otherRows,
];
