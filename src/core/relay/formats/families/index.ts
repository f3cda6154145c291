import { anthropicFamily } from './anthropic.ts';
import type { ApiFamily } from './api-family.ts';
import { cohereFamily } from './cohere.ts';
import { geminiFamily } from './gemini.ts';
import { midjourneyFamily } from './midjourney.ts';
import { openAiFamily } from './openai.ts';

/** Families with paths of their own; all others are OpenAI's. */
const families: readonly ApiFamily[] = [
  anthropicFamily,
  geminiFamily,
  cohereFamily,
  midjourneyFamily,
];

/** Whose error bodies a caller of this path reads, where no format claims the path. */
export function familyOfPath(method: string, path: string): ApiFamily {
  return families.find((family) => family.ownsPath(method, path)) ?? openAiFamily;
}
