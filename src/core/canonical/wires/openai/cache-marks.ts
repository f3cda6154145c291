/**
 * Marks for the prompt cache in OpenAI's words, `prompt_cache_breakpoint`
 * (docs/rules/formats.md#cache-marks).
 */
import type { JsonObject } from '../../../kernel/json.ts';
import type { CacheControl } from '../../chat.ts';
import { openAiFacts } from '../../models/openai.ts';

/** Whether parts for this model may be marked: OpenAI's since GPT-5.6. */
export function takesBreakpoints(model: string): boolean {
  return openAiFacts(model).cacheLives?.includes('30m') === true;
}

/** The part with its mark. The longer life of one vendor is the longer one of the other. */
export function withBreakpoint(part: JsonObject, mark: CacheControl | undefined): JsonObject {
  if (mark === undefined) return part;
  const mode = 'explicit';
  const long = mark.ttl === '1h';
  return { ...part, prompt_cache_breakpoint: long ? { mode, ttl: '12h' } : { mode } };
}
