/** What the catalogue of models says of a model, as the square shows it. */
import { bareModelName, factsOf } from '../models/known-models.ts';

/** `1M`, `256K`, `200K`: in the units that the number is round in. */
export function tokenCountName(tokens: number): string {
  const unit = tokens % 1000 !== 0 && tokens % 1024 === 0 ? 1024 : 1000;
  const thousands = Math.round(tokens / unit);
  return thousands >= unit ? `${+(thousands / unit).toFixed(1)}M` : `${thousands}K`;
}

const nameOf = (tokens: number | undefined) => (tokens === undefined ? '' : tokenCountName(tokens));

export function knownFacts(model: string) {
  const facts = factsOf(bareModelName(model));
  const { inputTokens, outputTokens, reads = [], writes = [], images } = facts;
  return {
    context: nameOf(inputTokens),
    longest_answer: nameOf(outputTokens),
    output_limit: outputTokens ?? 0,
    reads: [...reads],
    writes: [...writes],
    images:
      images === undefined
        ? null
        : { sizes: [...images.sizes], qualities: [...images.qualities], most: images.most },
  };
}
