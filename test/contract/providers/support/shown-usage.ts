/** The usage that a caller reads in a reply, whole or streamed, in the caller's own words. */
import type { Caller } from '../../../support/five-callers.ts';

type Counts = Readonly<Record<string, number | undefined>>;
interface Said {
  readonly usage?: Counts & { readonly tokens?: Counts };
  readonly usageMetadata?: Counts;
  readonly message?: Said;
  readonly response?: Said;
  readonly delta?: Said;
}

/** All tokens of the prompt, cached ones included, and of the answer with its thinking. */
export interface ShownUsage {
  readonly prompt: number;
  readonly output: number;
}

/** The whole reply, or each event of a stream. */
function partsOf(text: string): readonly Said[] {
  if (text.startsWith('{')) return [JSON.parse(text) as Said];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Said);
}

/** Of several reports the last of each count. */
export function shownUsage(caller: Caller, text: string): ShownUsage {
  const counts: Record<string, number | undefined> = {};
  for (const part of partsOf(text)) {
    const { usage } =
      part.message ?? part.response ?? (caller === 'Cohere' ? part.delta : part) ?? {};
    Object.assign(counts, usage, part.usage, part.usageMetadata, usage?.tokens, part.usage?.tokens);
  }
  const sum = (...names: readonly string[]) =>
    names.reduce((total, name) => total + (counts[name] ?? 0), 0);
  switch (caller) {
    case 'chat':
      return { prompt: sum('prompt_tokens'), output: sum('completion_tokens') };
    case 'messages':
      return {
        prompt: sum('input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'),
        output: sum('output_tokens'),
      };
    case 'Gemini':
      return {
        prompt: sum('promptTokenCount'),
        output: sum('candidatesTokenCount', 'thoughtsTokenCount'),
      };
    default:
      return { prompt: sum('input_tokens'), output: sum('output_tokens') };
  }
}
