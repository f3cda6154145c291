/** One price of one-hub as entries of our price options (docs/rules/import.md#one-hub-prices). */
import { add, decimal, multiply, ratioTo, subtract, toNumber } from '../../kernel/decimal.ts';
import { catalogueDetails } from '../../pricing/catalogue-details.ts';
import type { PriceDetailsEntry } from '../../pricing/details.ts';
import { modelNamed } from '../../pricing/model-name.ts';
import type { SourceTable } from '../../pricing/source-entries.ts';
import { ratioByRule } from '../../pricing/tables.ts';
import type { CacheWords } from './channel-types.ts';
import type { OldPrice } from './old-site.ts';

export interface PriceEntries extends Readonly<Partial<Record<SourceTable, number>>> {
  readonly ModelPriceDetails?: PriceDetailsEntry;
}

/** What counts where a price says nothing (defaultExtraPrice in model/price.go). */
const defaults = { cached_read_tokens: 0.1, cached_write_tokens: 1.25 } as const;

const product = (...factors: readonly number[]): number =>
  toNumber(factors.map(decimal).reduce(multiply));

/** A call costs what 1,000 tokens do. `unit`: the site's QuotaPerUnit. */
export const callPrice = ({ input }: OldPrice, unit: number): PriceEntries => ({
  ModelPrice: ratioTo(product(input, 1000), unit),
});

/**
 * A price by tokens. There each kind of token costs its side's price, and `ratio − 1` times that in
 * addition, so that a token of two kinds has both; `leftOut` are the kinds of which there is no
 * price here. Without entries: there is output to be paid and no input.
 */
export function tokenPrice(
  model: string,
  { input, output, ratios }: OldPrice,
  words: CacheWords,
): { readonly entries: PriceEntries | undefined; readonly leftOut: readonly string[] } {
  const ratio = (kind: string): number =>
    ratios[kind] ?? defaults[kind as keyof typeof defaults] ?? 1;
  const text = ratio('input_text_tokens');
  const base = product(input, text);
  if (base === 0)
    return input === 0 && output === 0
      ? { entries: { ModelRatio: 0, CompletionRatio: 1 }, leftOut: [] }
      : { entries: undefined, leftOut: [] };
  /** Of a token that is of the first kind and of these besides, over one of the first kind. */
  const both = (first: number, ...others: readonly number[]): number => {
    const sum = others.reduce(
      (total, one) => subtract(add(total, decimal(one)), decimal(1)),
      decimal(first),
    );
    return Math.max(0, ratioTo(Math.max(0, toNumber(sum)), first));
  };
  const audio = ratio('input_audio_tokens');
  const image = ratio('input_image_tokens');
  const spoken = ratio('output_audio_tokens');
  const read =
    words === 'claude'
      ? ratio('cached_read_tokens')
      : words === 'openai'
        ? ratio('cached_tokens')
        : 1;
  const written = words === 'claude' ? ratio('cached_write_tokens') : 1;

  const known = catalogueDetails(model);
  const entries: Partial<Record<SourceTable, number>> = { ModelRatio: base };
  // A dated name has what it does not say itself from the name without its date.
  const isDated = modelNamed(model) !== undefined;
  const enter = (table: SourceTable, value: number, otherwise: number) => {
    if (isDated || value !== otherwise) entries[table] = value;
  };
  const ruled = (kind: Parameters<typeof ratioByRule>[0]): number | undefined => {
    const found = ratioByRule(kind, model);
    return found === undefined ? undefined : toNumber(found);
  };
  enter('CompletionRatio', ratioTo(output, base), ruled('completion') ?? 1);
  enter('CacheRatio', both(text, read), 1);
  enter('CreateCacheRatio', both(text, written), 1.25);
  enter('ImageRatio', ratioTo(image, text), 1);
  const leftOut = ['output_text_tokens', 'output_image_tokens'].filter((kind) => ratio(kind) !== 1);
  const hasAudio = isDated || audio !== text || spoken !== 1 || ruled('audio') !== undefined;
  if (hasAudio) {
    entries.AudioRatio = ratioTo(audio, text);
    if (audio > 0)
      entries.AudioCompletionRatio = ratioTo(product(output, spoken), product(input, audio));
    else if (spoken > 0 && output > 0) leftOut.push('output_audio_tokens');
  }
  const thinking = ratio('reasoning_tokens');
  // What our catalogue says of the model besides does not hold there.
  const details: PriceDetailsEntry = {
    ...(known?.steps !== undefined && { steps: [] }),
    ...(known?.factors !== undefined && { factors: {} }),
    ...(known?.peakHours !== undefined && { peakHours: [] }),
    ...((words === 'claude' || known?.longCacheWrite !== undefined) && { longCacheWrite: 1 }),
    ...((hasAudio || known?.cachedAudio !== undefined) &&
      audio > 0 && { cachedAudio: both(audio, read) }),
    ...((image !== text || known?.cachedImage !== undefined) &&
      image > 0 && { cachedImage: both(image, read) }),
    ...((thinking !== 1 || known?.thinking !== undefined) && {
      thinking: ratioTo(product(output, thinking), base),
    }),
    // Of the tools that vendors run, it charges those of OpenAI's Responses alone.
    ...(known?.tools !== undefined && !('file_search' in known.tools) && { tools: {} }),
    ...(known?.alwaysCalled !== undefined && { alwaysCalled: [] }),
  };
  return {
    entries: {
      ...entries,
      ...(Object.keys(details).length > 0 && { ModelPriceDetails: details }),
    },
    leftOut,
  };
}
