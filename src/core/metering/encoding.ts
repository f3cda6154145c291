/** Which of OpenAI's tokenizers a model uses (docs/rules/metering.md#tokenizers). */
import { bareModelName, factsOf } from '../models/known-models.ts';

export type Encoding = 'o200k' | 'cl100k';

/** Undefined: a model of another vendor, whose texts are estimated. */
export function encodingOf(model: string): Encoding | undefined {
  return factsOf(bareModelName(model)).tokenizer;
}
