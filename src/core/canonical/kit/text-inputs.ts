import { AppError } from '../../kernel/errors.ts';
import type { EmbeddingRequest } from '../calls.ts';

/**
 * What is to be embedded, for upstreams that take texts only. Throws
 * AppError('unsupported_feature') for tokens without texts.
 */
export function textInputs({ input, texts }: Pick<EmbeddingRequest, 'input' | 'texts'>): string[] {
  return (texts ?? input).map((text) => {
    if (typeof text !== 'string')
      throw new AppError('unsupported_feature', { detail: 'input as tokens' });
    return text;
  });
}
