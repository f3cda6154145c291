/** What a request asks, as what there is to count where its upstream told nothing (spec, billing 7). */
import {
  type Countable,
  countableAnswer,
  countableText,
  type GeneratedText,
  noGeneratedText,
  nothingToCount,
} from '../../metering/countable.ts';
import { countableChat } from '../../metering/countable-chat.ts';
import { chatWireFormat } from '../formats/index.ts';
import { promptText } from '../formats/prompt-text.ts';
import { readChat } from '../formats/shared/read-chat.ts';
import type { RelayJob } from '../job.ts';
import type { MeasuredUsage } from './charge.ts';

type AskedJob = Pick<RelayJob, 'body' | 'format' | 'model' | 'stream' | 'operation'>;

/** A text, a list of texts, which count as one, or tokens the caller made itself. Undefined: something else. */
function countableInput(input: unknown): Countable | undefined {
  const items = Array.isArray(input) ? input.flat() : [input];
  if (items.every((item) => typeof item === 'string')) return countableText(items.join(''));
  return items.every((item) => typeof item === 'number') ? { ...nothingToCount, tokens: items.length } : undefined;
}

/** Where a request is not a conversation but a plain text, its field. */
const inputFields: Partial<Record<RelayJob['format'], string>> = {
  'openai-completions': 'prompt',
  'openai-embeddings': 'input',
  'openai-moderations': 'input',
  'openai-speech': 'input',
};

/** A text that is to be filled in has an end, too. */
function withSuffix(input: Countable, { body, format }: AskedJob): Countable {
  const suffix = format === 'openai-completions' ? body.get('suffix') : undefined;
  return typeof suffix === 'string' ? { ...input, texts: [...input.texts, suffix] } : input;
}

/** The upstream has judged the body by then: what we cannot read counts as far as texts are found in it. */
export function countableRequest(job: AskedJob): Countable {
  try {
    const field = inputFields[job.format];
    const input = field === undefined ? undefined : countableInput(job.body.get(field));
    if (input !== undefined) return withSuffix(input, job);
    if (field === undefined && chatWireFormat(job.format) !== undefined) return countableChat(readChat(job), job.model);
  } catch {
    // Counted by its texts.
  }
  return countableText(promptText(job.body));
}

/** Both sides of a request, for its bill. */
export function sidesToCount(
  job: AskedJob,
  generated: () => GeneratedText = () => noGeneratedText,
): Pick<MeasuredUsage, 'input' | 'output'> {
  return { input: () => countableRequest(job), output: () => countableAnswer(generated()) };
}
