/** OpenRouter's `GET /api/v1/models`. https://openrouter.ai/docs/api/api-reference/models, 2026-11. */
import {
  type Candidate,
  count,
  dayAt,
  dayIn,
  factorOf,
  hourlyPriceOf,
  known,
  list,
  listPriceOf,
  modalities,
  perMillion,
  record,
  texts,
} from './found-model.ts';
import { serverOf } from './servers.ts';

/** Days of the week as its list writes them. */
const dayNames = [
  ...['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
] as readonly string[];

/** Minutes of the day of a number such as 1030, half past ten. */
function minuteOf(clock: unknown): number | undefined {
  return typeof clock === 'number' ? Math.floor(clock / 100) * 60 + (clock % 100) : undefined;
}

function isTimed({ utc_start: start, utc_end: end, utc_days: days }: Candidate): boolean {
  return [start, end, days].some((condition) => condition !== undefined && condition !== null);
}

/** Its window may go past midnight, and then begins and ends on the same days. */
function holdsAt(override: Candidate, day: number, minute: number): boolean {
  const named = texts(override.utc_days);
  if (named.length > 0 && !named.includes(dayNames[day] ?? '')) return false;
  const [from = 0, to = 1440] = [minuteOf(override.utc_start), minuteOf(override.utc_end)];
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

function stepsOf(pricing: Candidate): readonly Candidate[] | undefined {
  const steps = new Map<number, Candidate>();
  for (const override of list(pricing.overrides).map(record)) {
    const { min_prompt_tokens, prompt, completion } = override;
    const above = count(min_prompt_tokens);
    const input = factorOf(perMillion(prompt), perMillion(pricing.prompt)) ?? 1;
    const cache = (key: string) => {
      const own = factorOf(perMillion(override[key]), perMillion(pricing[key]));
      return own === 0 || own === input ? undefined : own;
    };
    // The later of two goes before the other.
    if (above !== undefined)
      steps.set(
        above,
        known({
          above,
          input,
          output: factorOf(perMillion(completion), perMillion(pricing.completion)) ?? 1,
          cacheRead: cache('input_cache_read'),
          cacheWrite: cache('input_cache_write'),
        }),
      );
  }
  return steps.size > 0 ? [...steps.values()] : undefined;
}

/** Prices at all hours; of a model that draws, output is the images. */
function priceOf(pricing: Candidate): Candidate | undefined {
  const drawn = perMillion(pricing.image_output);
  return listPriceOf({
    input: perMillion(pricing.prompt),
    output: drawn ?? perMillion(pricing.completion),
    more: {
      textOutput: drawn === undefined ? undefined : perMillion(pricing.completion),
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

/** The price with its hours, or that they are of a kind that no price here can have. */
function pricesOf(pricing: Candidate): Candidate {
  const overrides = list(pricing.overrides).map(record);
  const timed = overrides.filter(isTimed);
  if (timed.length === 0) return { price: priceOf(pricing) };
  const at = (day: number, minute: number): Candidate | undefined => {
    const now = overrides.filter((one) => !isTimed(one) || holdsAt(one, day, minute));
    const always = now.filter(({ min_prompt_tokens: above }) => count(above) === undefined);
    return priceOf(Object.assign({}, pricing, ...always, { overrides: now }));
  };
  return hourlyPriceOf(
    at,
    timed.flatMap(({ utc_start: start, utc_end: end }) => [minuteOf(start), minuteOf(end)]),
  );
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
      ...pricesOf(record(row.pricing)),
    });
  }
}
