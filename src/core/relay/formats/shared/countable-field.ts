import { type Countable, countableText, nothingToCount } from '../../../metering/countable.ts';
import type { RequestBody } from '../../body/request-body.ts';

/**
 * Counts a field that holds a text, a list of texts, which count as one, or tokens the caller made
 * itself. Undefined: something else.
 */
export function countableField(name: string): (body: RequestBody) => Countable | undefined {
  return (body) => {
    const input = body.get(name);
    const items = Array.isArray(input) ? input.flat() : [input];
    if (items.every((item) => typeof item === 'string')) return countableText(items.join(''));
    return items.every((item) => typeof item === 'number')
      ? { ...nothingToCount, tokens: items.length }
      : undefined;
  };
}
