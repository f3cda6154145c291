/**
 * LiteLLM's list of models and prices: an object by name.
 * https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json, 2026-11-24.
 */
import {
  type Candidate,
  count,
  dayIn,
  factorOf,
  hourlyPriceOf,
  known,
  list,
  listPriceOf,
  modalities,
  perMillion,
  price,
  record,
  texts,
} from './found-model.ts';
import { minutesAhead } from './hourly-price.ts';
import { serverOf } from './servers.ts';

/** What the gateway can call; entries of other modes are passed over. */
const kinds: Readonly<Record<string, string>> = {
  chat: 'chat',
  responses: 'chat',
  completion: 'completion',
  embedding: 'embedding',
  image_generation: 'image',
  image_edit: 'image',
  moderation: 'moderation',
  realtime: 'realtime',
  rerank: 'rerank',
  audio_speech: 'speech',
  audio_transcription: 'transcription',
  video_generation: 'video',
};

/** Their suffixes of prices, and the words of tiers here. */
const tiers: Readonly<Record<string, string>> = {
  batches: 'batch',
  flex: 'flex',
  priority: 'priority',
  ultrafast: 'ultrafast',
};
const stepKey = /^input_cost_per_token_above_(\d+)k_tokens$/;

/** Of cache reads and writes in tiers, where they are not those of input. */
function cacheFactorsOf(row: Candidate, factors: Candidate | undefined): Candidate | undefined {
  const found = Object.entries(tiers).flatMap(([suffix, tier]) => {
    const of = (key: string) => {
      const factor = factorOf(perMillion(row[`${key}_${suffix}`]), perMillion(row[key]));
      return factor === 0 || factor === factors?.[tier] ? undefined : factor;
    };
    const caches = known({
      read: of('cache_read_input_token_cost'),
      write: of('cache_creation_input_token_cost'),
    });
    const isOther = factors?.[tier] !== undefined && Object.keys(caches).length > 0;
    return isOther ? [[tier, caches] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

function factorsOf(row: Candidate): Candidate | undefined {
  const factors: Record<string, number> = {};
  for (const [suffix, tier] of Object.entries(tiers)) {
    const [input, output] = ['input', 'output'].map((kind) =>
      factorOf(
        perMillion(row[`${kind}_cost_per_token_${suffix}`]),
        perMillion(row[`${kind}_cost_per_token`]),
      ),
    );
    // One factor is all that a tier has here: prices that move apart are no tier.
    if (input !== undefined && input > 0 && (output ?? input) === input) factors[tier] = input;
  }
  for (const [place, factor] of Object.entries(record(row.provider_specific_entry)))
    if (typeof factor === 'number' && factor > 0 && factor !== 1) factors[place] = factor;
  return Object.keys(factors).length > 0 ? factors : undefined;
}

/** Steps by keys (`…_above_272k_tokens`) or by ranges (`tiered_pricing`), over the base price. */
function stepsOf(row: Candidate, ranges: readonly Candidate[]): readonly Candidate[] | undefined {
  const [base, ...later] = ranges;
  const keyed = Object.keys(row).flatMap((key) => {
    const thousands = stepKey.exec(key)?.[1];
    if (thousands === undefined) return [];
    const output = row[`output_cost_per_token_above_${thousands}k_tokens`];
    const [read, write] = ['cache_read', 'cache_creation'].map(
      (kind) => row[`${kind}_input_token_cost_above_${thousands}k_tokens`],
    );
    return [{ above: Number(thousands) * 1000, input: row[key], output, read, write, of: row }];
  });
  const ranged = later.map((range) => ({
    above: list(range.range)[0],
    input: range.input_cost_per_token,
    output: range.output_cost_per_token,
    read: range.cache_read_input_token_cost,
    write: range.cache_creation_input_token_cost,
    of: base ?? row,
  }));
  const steps = [...keyed, ...ranged].flatMap(({ above, input, output, read, write, of }) => {
    const factor = factorOf(perMillion(input), perMillion(of.input_cost_per_token));
    if (factor === undefined) return [];
    const outputFactor = factorOf(perMillion(output), perMillion(of.output_cost_per_token));
    const cache = (value: unknown, price: unknown) => {
      const own = factorOf(perMillion(value), perMillion(price));
      return own === 0 || own === factor ? undefined : own;
    };
    return [
      known({
        above,
        input: factor,
        output: outputFactor ?? 1,
        cacheRead: cache(read, of.cache_read_input_token_cost),
        cacheWrite: cache(write, of.cache_creation_input_token_cost),
      }),
    ];
  });
  return steps.length > 0 ? steps.sort((a, b) => Number(a.above) - Number(b.above)) : undefined;
}

function priceOf(row: Candidate): Candidate | undefined {
  const ranges = list(row.tiered_pricing).map(record);
  const base: Candidate = { ...ranges[0], ...row };
  const factors = factorsOf(row);
  return listPriceOf({
    input: perMillion(base.input_cost_per_token),
    // Of models that draw, output is the images.
    output: perMillion(base.output_cost_per_image_token ?? base.output_cost_per_token),
    more: {
      textOutput:
        base.output_cost_per_image_token === undefined
          ? undefined
          : perMillion(base.output_cost_per_token),
      cacheRead: perMillion(base.cache_read_input_token_cost),
      cacheWrite: perMillion(base.cache_creation_input_token_cost),
      longCacheWrite: perMillion(
        base.cache_creation_input_token_cost_above_1hr ??
          base.cache_creation_input_token_cost_above_12hr,
      ),
      audioInput: perMillion(base.input_cost_per_audio_token),
      audioCacheRead: perMillion(base.cache_read_input_audio_token_cost),
      audioOutput: perMillion(base.output_cost_per_audio_token),
      imageInput: perMillion(base.input_cost_per_image_token),
      imageCacheRead: perMillion(base.cache_read_input_image_token_cost),
      steps: stepsOf(row, ranges),
      factors,
      cacheFactors: cacheFactorsOf(row, factors),
    },
  });
}

/** Of the resolutions that it names; without one of every resolution. */
function secondPricesOf(row: Candidate): Candidate | undefined {
  const usual = price(row.output_cost_per_second ?? row.output_cost_per_video_per_second);
  const named = Object.keys(row).flatMap((key) => {
    const size = secondKey.exec(key)?.[1];
    const cost = price(row[key]);
    return size === undefined || cost === undefined ? [] : [[size.toUpperCase(), cost] as const];
  });
  if (usual === undefined || usual === 0) return undefined;
  return { '*': usual, ...Object.fromEntries(named) };
}

const secondKey = /^output_cost_per_second_(\d+[pk])$/;

/** Minutes of a span such as `10:00-00:00`, which may go past midnight. */
function minutesOf(span: string): readonly [from: number, to: number] | undefined {
  const [, ...figures] = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(span) ?? [];
  if (figures.length === 0) return undefined;
  const [hour = 0, minute = 0, endHour = 0, endMinute = 0] = figures.map(Number);
  return [hour * 60 + minute, endHour * 60 + endMinute || endOfDay];
}

const endOfDay = 1440;

/** The prices of `off_peak_pricing` in its windows, whose days are from 1 (Monday) to 7. */
function pricesOf(row: Candidate): Candidate {
  const { windows, weekday_timezone: zone = 'UTC', ...offPeak } = record(row.off_peak_pricing);
  if (windows === undefined) return { price: priceOf(row) };
  const ahead = minutesAhead(String(zone));
  const spans = list(windows)
    .map(record)
    .flatMap(({ hours_utc: hours, weekdays }) =>
      [hours].flat().map((span) => ({ days: list(weekdays), minutes: minutesOf(String(span)) })),
    );
  if (ahead === undefined || spans.some(({ minutes }) => minutes === undefined))
    return { unread: 'request' };
  const at = (day: number, minute: number): Candidate | undefined => {
    const there = (day + Math.floor((minute + ahead) / endOfDay) + 7) % 7 || 7;
    const isOff = spans.some(({ days, minutes: [from, to] = [0, 0] }) => {
      const isDay = days.length === 0 || days.includes(there);
      return isDay && (from <= to ? minute >= from && minute < to : minute >= from || minute < to);
    });
    return priceOf(isOff ? { ...row, ...offPeak } : row);
  };
  const midnight = (endOfDay - ahead) % endOfDay;
  return hourlyPriceOf(at, [midnight, ...spans.flatMap(({ minutes = [0, 0] }) => minutes)]);
}

/** A name without the word for its server before it. */
function bareName(name: string, server: string): string {
  const slash = name.indexOf('/');
  return slash > 0 && serverOf(name.slice(0, slash)) === server ? name.slice(slash + 1) : name;
}

/** Prices by size and quality of an image, and of tuned models, are listed like models. */
const noModel = /^ft:|(^|\/)\d+-x-\d+\//;

/** All efforts, where it says of the least of them whether the model has it. */
function effortsOf(row: Candidate): readonly string[] | undefined {
  const levels = texts(row.reasoning_effort_levels);
  if (levels.length > 0) return levels;
  if (typeof row.supports_none_reasoning_effort !== 'boolean') return undefined;
  const has = (effort: string) => row[`supports_${effort}_reasoning_effort`] === true;
  return [
    ...['none', 'minimal'].filter(has),
    ...['low', 'medium', 'high'],
    ...['xhigh', 'max'].filter(has),
  ];
}

function takesOf(row: Candidate): Candidate | undefined {
  const takes = known({
    forced_tools: row.supports_forced_tool_use,
    prefill: row.supports_assistant_prefill,
  });
  return Object.keys(takes).length > 0 ? takes : undefined;
}

/** What the list says of each model that the gateway can call. */
export function* readLitellm(entries: Candidate): Generator<Candidate> {
  for (const [key, value] of Object.entries(entries)) {
    const row = record(value);
    const { litellm_provider: provider, mode } = row;
    const kind = typeof mode === 'string' ? kinds[mode] : undefined;
    if (typeof provider !== 'string' || kind === undefined) continue;
    const server = serverOf(provider);
    const name = bareName(key, server);
    if (noModel.test(name)) continue;
    yield {
      server,
      name,
      vendor: server,
      kind,
      ends: dayIn(row.deprecation_date),
      successor:
        typeof row.successor_model === 'string' ? bareName(row.successor_model, server) : undefined,
      inputTokens: count(row.max_input_tokens),
      outputTokens: kind === 'chat' ? count(row.max_output_tokens) : undefined,
      reads: modalities(row.supported_modalities),
      writes: modalities(row.supported_output_modalities),
      efforts: effortsOf(row),
      takes: takesOf(row),
      secondPrices: kind === 'video' ? secondPricesOf(row) : undefined,
      ...pricesOf(row),
    };
  }
}
