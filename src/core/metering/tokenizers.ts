import type { Encoding } from './encoding.ts';

interface Tokenizer {
  readonly countTokens: typeof import('gpt-tokenizer/encoding/o200k_base').countTokens;
  /** Throws for a number that is no token. */
  decode(tokens: Iterable<number>): string;
}

/** Tables of some megabytes each, loaded when they are first needed. */
export const tokenizers: Readonly<Record<Encoding, () => Promise<Tokenizer>>> = {
  o200k: () => import('gpt-tokenizer/encoding/o200k_base'),
  cl100k: () => import('gpt-tokenizer/encoding/cl100k_base'),
};
