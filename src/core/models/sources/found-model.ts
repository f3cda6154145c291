/** A model as some catalogue or server lists it, in the form of the rows of this catalogue. */

import { decimal, multiply, ratioTo, toNumber } from '../../kernel/decimal.ts';
import { isObject } from '../../kernel/json.ts';
import { z } from '../../kernel/zod.ts';
import { type ListPrice, listPrice, modelRow } from '../schema.ts';
import { hourlyPrice } from './hourly-price.ts';

/**
 * Without its origin, which is that of the list. Prices are those of the server: dollars
 * per million tokens.
 */
export const foundModel = modelRow
  .unwrap()
  .omit({ source: true, seen: true })
  .extend({
    /** Who serves it, by the slug of a provider; of servers without one the list's own word. */
    server: z.string().min(1),
    /** Why it has no price, although the list has one: a price here cannot have such hours. */
    unread: z.literal('request').optional(),
  })
  .readonly();
export type FoundModel = z.infer<typeof foundModel>;

/** An entry of a list, before it is checked. */
export type Candidate = Readonly<Record<string, unknown>>;

export const record = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : {};
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const texts = (value: unknown): readonly string[] =>
  list(value).filter((entry) => typeof entry === 'string');

/** A whole number above 0, of which lists have none for what they do not know. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** The day (UTC) of a text such as `2026-11-30` or `2026-11-30T00:00:00Z`. */
export function dayIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(T|$)/.test(value)
    ? value.slice(0, 10)
    : undefined;
}

/** The day (UTC) of a Unix time in seconds. */
export function dayAt(seconds: unknown): string | undefined {
  const known = count(seconds);
  return known === undefined ? undefined : new Date(known * 1000).toISOString().slice(0, 10);
}

const million = decimal(1_000_000);

/** A price from 0 on, as a number or its text; undefined: it is none. */
export function price(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** Dollars per token as dollars per million tokens, without remains of binary fractions. */
export function perMillion(value: unknown): number | undefined {
  const known = price(value);
  return known === undefined ? undefined : toNumber(multiply(decimal(known), million));
}

/** `value ÷ base`: factors of tiers and steps. */
export function factorOf(value: number | undefined, base: number | undefined): number | undefined {
  return value === undefined || base === undefined || base === 0 ? undefined : ratioTo(value, base);
}

/** Without what is undefined. */
export function known<T extends Candidate>(entry: T): Candidate {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

interface PriceParts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  /** The other fields of a list price. */
  readonly more: { readonly [Name in keyof ListPrice]?: unknown };
}

/**
 * Undefined where nothing costs anything: lists write 0 for what they do not know. Cache writes that
 * cost nothing are left out, and so are sounds and images at the price of text.
 */
export function listPriceOf({ input, output = 0, more }: PriceParts): Candidate | undefined {
  if (input === undefined || input + output === 0) return undefined;
  const { audioInput, audioCacheRead, audioOutput, imageInput, textOutput, ...others }: Candidate =
    more;
  const { cacheWrite, imageCacheRead, ...rest } = others;
  const unless = (value: unknown, usual: unknown) => (value === usual ? undefined : value);
  return known({
    input,
    output,
    ...rest,
    cacheWrite: unless(cacheWrite, 0),
    audioInput: unless(audioInput, input),
    audioCacheRead: unless(audioCacheRead, rest.cacheRead ?? input),
    audioOutput: unless(audioOutput, output),
    imageInput: unless(imageInput, input),
    textOutput: unless(textOutput, output),
    imageCacheRead: unless(imageCacheRead, rest.cacheRead ?? input),
  });
}

/**
 * A price that changes at these minutes of the day (UTC), as one with peak hours where it can be one.
 * `at`: that of a day of the week and a minute.
 */
export function hourlyPriceOf(
  at: (day: number, minute: number) => Candidate | undefined,
  bounds: readonly (number | undefined)[],
): Candidate {
  const known = bounds.filter((minute) => minute !== undefined);
  const isRead = (price: Candidate | undefined) => listPrice.safeParse(price).success;
  if (known.length > mostBounds || ![...known, 0].every((minute) => isRead(at(0, minute))))
    return { unread: 'request' };
  const price = hourlyPrice((day, minute) => listPrice.parse(at(day, minute)), known);
  return price === undefined ? { unread: 'request' } : { price };
}

/** More changes of a day are no list of prices. */
const mostBounds = 24;

const modalityWords: Readonly<Record<string, string>> = {
  text: 'text',
  image: 'image',
  audio: 'audio',
  video: 'video',
  file: 'file',
  pdf: 'file',
};

/** The modalities among a list's words; undefined: there is none. */
export function modalities(words: unknown): readonly string[] | undefined {
  const found = texts(words).flatMap((word) => modalityWords[word] ?? []);
  return found.length > 0 ? found : undefined;
}

/** The entries that have the form of a found model, each model of a server once. */
export function checked(candidates: Iterable<Candidate>): readonly FoundModel[] {
  const found = new Map<string, FoundModel>();
  for (const candidate of candidates) {
    const { data } = foundModel.safeParse(known(candidate));
    if (data === undefined) continue;
    const key = `${data.server} ${data.name.toLowerCase()}`;
    if (!found.has(key)) found.set(key, data);
  }
  return [...found.values()];
}
