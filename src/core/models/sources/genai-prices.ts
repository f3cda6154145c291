/**
 * Pydantic's list of prices: servers with their models, whose prices may have days and hours.
 * https://github.com/pydantic/genai-prices/tree/main/prices, 2026-11-28.
 */
import {
  type Candidate,
  count,
  factorOf,
  known,
  list,
  listPriceOf,
  price,
  record,
} from './found-model.ts';
import { serverOf } from './servers.ts';

/** The prices of a day (`2026-11-28`): the last that began by then. Those of hours are passed over. */
function pricesOn(prices: unknown, day: string): Candidate {
  if (!Array.isArray(prices)) return record(prices);
  const begun = prices.map(record).filter(({ constraint }) => {
    if (constraint === undefined || constraint === null) return true;
    const { start_date: start } = record(constraint);
    return typeof start === 'string' && start <= day;
  });
  return record(begun.at(-1)?.prices);
}

/** A price, or the one below the first step. */
const baseOf = (value: unknown): number | undefined => price(value) ?? price(record(value).base);

function stepsOf({
  input_mtok: input,
  output_mtok: output,
  cache_read_mtok: read,
  cache_write_mtok: write,
}: Candidate): readonly Candidate[] | undefined {
  const at = (price: unknown, start: unknown) =>
    list(record(price).tiers)
      .map(record)
      .find((step) => step.start === start)?.price;
  const steps = list(record(input).tiers)
    .map(record)
    .map(({ start, price: cost }) => {
      const factor = factorOf(price(cost), baseOf(input));
      const cache = (kind: unknown) => {
        const own = factorOf(price(at(kind, start)), baseOf(kind));
        return own === 0 || own === factor ? undefined : own;
      };
      return known({
        above: start,
        input: factor,
        output: factorOf(price(at(output, start)), baseOf(output)) ?? 1,
        cacheRead: cache(read),
        cacheWrite: cache(write),
      });
    });
  return steps.length > 0 ? steps : undefined;
}

function priceOf(prices: Candidate): Candidate | undefined {
  return listPriceOf({
    input: baseOf(prices.input_mtok),
    output: baseOf(prices.output_mtok),
    more: {
      cacheRead: baseOf(prices.cache_read_mtok),
      cacheWrite: baseOf(prices.cache_write_mtok),
      longCacheWrite: baseOf(prices.cache_write_1h_mtok),
      audioInput: baseOf(prices.input_audio_mtok),
      audioCacheRead: baseOf(prices.cache_audio_read_mtok),
      audioOutput: baseOf(prices.output_audio_mtok),
      imageInput: baseOf(prices.input_image_mtok),
      steps: stepsOf(prices),
    },
  });
}

/** What the list says of each server's models on a day. */
export function* readGenaiPrices(servers: readonly unknown[], day: string): Generator<Candidate> {
  for (const value of servers) {
    const { id, models } = record(value);
    if (typeof id !== 'string') continue;
    const server = serverOf(id);
    for (const model of list(models)) {
      const { id: name, context_window: context, prices } = record(model);
      yield {
        server,
        name,
        vendor: server,
        inputTokens: count(context),
        price: priceOf(pricesOn(prices, day)),
      };
    }
  }
}
