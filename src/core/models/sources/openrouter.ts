/** OpenRouter's `GET /api/v1/models`. https://openrouter.ai/docs/api/api-reference/models, 2026-11. */
import {
  type Candidate,
  count,
  dayAt,
  dayIn,
  factorOf,
  known,
  list,
  listPriceOf,
  modalities,
  perMillion,
  record,
  texts,
} from './found-model.ts';
import { serverOf } from './servers.ts';

/** Of overrides only those by length: prices by the hour have no place in a list price. */
function stepsOf(pricing: Candidate): readonly Candidate[] | undefined {
  const steps = list(pricing.overrides)
    .map(record)
    .filter(({ min_prompt_tokens: above, utc_start: start, utc_days: days }) => {
      return count(above) !== undefined && start === undefined && days === undefined;
    })
    .map(({ min_prompt_tokens: above, prompt, completion }) => ({
      above,
      input: factorOf(perMillion(prompt), perMillion(pricing.prompt)) ?? 1,
      output: factorOf(perMillion(completion), perMillion(pricing.completion)) ?? 1,
    }));
  return steps.length > 0 ? steps : undefined;
}

function priceOf(pricing: Candidate): Candidate | undefined {
  return listPriceOf({
    input: perMillion(pricing.prompt),
    output: perMillion(pricing.completion),
    more: {
      cacheRead: perMillion(pricing.input_cache_read),
      cacheWrite: perMillion(pricing.input_cache_write),
      longCacheWrite: perMillion(pricing.input_cache_write_1h),
      audioInput: perMillion(pricing.audio),
      audioCacheRead: perMillion(pricing.input_audio_cache),
      audioOutput: perMillion(pricing.audio_output),
      imageInput: perMillion(pricing.image_token),
      steps: stepsOf(pricing),
    },
  });
}

function effortsOf(reasoning: Candidate): readonly string[] | undefined {
  const efforts = texts(reasoning.supported_efforts);
  return efforts.length > 0 ? efforts : undefined;
}

/** The beginning of a long text, which is written in Markdown. */
function descriptionOf(text: unknown): Candidate | undefined {
  const words = typeof text === 'string' ? text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim() : '';
  return words === '' ? undefined : { en: words.length > 500 ? `${words.slice(0, 499)}…` : words };
}

/** What the list says of each model; the vendor is the word before the slash. */
export function* readOpenRouter(entries: readonly unknown[]): Generator<Candidate> {
  for (const value of entries) {
    const row = record(value);
    const { id: name } = row;
    if (typeof name !== 'string') continue;
    const { input_modalities: reads, output_modalities: writes } = record(row.architecture);
    yield known({
      server: 'openrouter',
      name,
      vendor: name.includes('/') ? serverOf(name.slice(0, name.indexOf('/'))) : undefined,
      released: dayAt(row.created),
      description: descriptionOf(row.description),
      ends: dayIn(row.expiration_date),
      inputTokens: count(row.context_length),
      outputTokens: count(record(row.top_provider).max_completion_tokens),
      reads: modalities(reads),
      writes: modalities(writes),
      efforts: effortsOf(record(row.reasoning)),
      price: priceOf(record(row.pricing)),
    });
  }
}
