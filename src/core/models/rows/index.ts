/** All rows of the built-in catalogue. */
import type { ModelRow } from '../schema.ts';
import { anthropicRows } from './anthropic.ts';
import { chinaRows } from './china.ts';
import { googleRows } from './google.ts';
import { openaiRows } from './openai.ts';
import { openaiMediaRows } from './openai-media.ts';
import { olderOpenaiRows } from './openai-older.ts';
import { otherRows } from './others.ts';
import { videoRows } from './videos.ts';

export const modelRows: readonly ModelRow[] = [
  ...openaiRows,
  ...openaiMediaRows,
  ...olderOpenaiRows,
  ...anthropicRows,
  ...googleRows,
  ...otherRows,
  ...chinaRows,
  ...videoRows,
];
