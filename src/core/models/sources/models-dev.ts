/** models.dev's list: an object of servers, each with its models. https://models.dev/api.json, 2026-05. */
import {
  type Candidate,
  count,
  dayIn,
  factorOf,
  known,
  list,
  listPriceOf,
  modalities,
  price,
  record,
} from './found-model.ts';
import { serverOf } from './servers.ts';

/** A mode of service: for OpenAI the tier is `priority`, which its clients call fast. */
function factorsOf(row: Candidate, input: number | undefined): Candidate | undefined {
  const { fast } = record(record(row.experimental).modes);
  const factor = factorOf(price(record(record(fast).cost).input), input);
  if (factor === undefined || factor === 0) return undefined;
  const { service_tier: tier } = record(record(record(fast).provider).body);
  return { [tier === 'priority' ? 'priority' : 'fast']: factor };
}

function stepsOf(cost: Candidate): readonly Candidate[] | undefined {
  const steps = list(cost.tiers).flatMap((entry) => {
    const { tier, input, output, cache_read: read, cache_write: write } = record(entry);
    const { type, size } = record(tier);
    const factor = factorOf(price(input), price(cost.input));
    if (type !== 'context' || factor === undefined) return [];
    const cache = (value: unknown, base: unknown) => {
      const own = factorOf(price(value), price(base));
      return own === 0 || own === factor ? undefined : own;
    };
    return [
      known({
        above: size,
        input: factor,
        output: factorOf(price(output), price(cost.output)) ?? 1,
        cacheRead: cache(read, cost.cache_read),
        cacheWrite: cache(write, cost.cache_write),
      }),
    ];
  });
  return steps.length > 0 ? steps : undefined;
}

function priceOf(row: Candidate): Candidate | undefined {
  const cost = record(row.cost);
  const input = price(cost.input);
  return listPriceOf({
    input,
    output: price(cost.output),
    more: {
      cacheRead: price(cost.cache_read),
      cacheWrite: price(cost.cache_write),
      audioInput: price(cost.input_audio),
      audioOutput: price(cost.output_audio),
      steps: stepsOf(cost),
      factors: factorsOf(row, input),
    },
  });
}

/** What the list says of each server's models. */
export function* readModelsDev(entries: Candidate): Generator<Candidate> {
  for (const [word, value] of Object.entries(entries)) {
    const server = serverOf(word);
    for (const [name, model] of Object.entries(record(record(value).models))) {
      const row = record(model);
      const limit = record(row.limit);
      const { input, output } = record(row.modalities);
      yield {
        server,
        name,
        vendor: server,
        released: dayIn(row.release_date),
        inputTokens: count(limit.input) ?? count(limit.context),
        outputTokens: count(limit.output),
        reads: modalities(input),
        writes: modalities(output),
        price: priceOf(row),
      };
    }
  }
}
