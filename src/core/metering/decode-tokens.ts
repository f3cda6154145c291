import { encodingOf } from './encoding.ts';
import { tokenizers } from './tokenizers.ts';

/**
 * The texts that OpenAI's tokenizer of a model made into these tokens; for models of other vendors
 * `cl100k_base`, which clients take for names that they do not know. Undefined: a number is no
 * token.
 */
export async function decodeTokens(
  inputs: readonly (string | readonly number[])[],
  model: string,
): Promise<readonly string[] | undefined> {
  const { decode } = await tokenizers[encodingOf(model) ?? 'cl100k']();
  try {
    return inputs.map((input) => (typeof input === 'string' ? input : decode(input)));
  } catch {
    return undefined;
  }
}
