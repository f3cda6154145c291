/**
 * Prices that New API states as an expression, as list prices (docs/rules/pricing.md#price-expressions).
 * What no list price can say is not read: a price that is nearly right would be a wrong one.
 */
import {
  compare,
  type Decimal,
  multiply,
  one,
  ratioTo,
  toNumber,
  zero,
} from '../kernel/decimal.ts';
import type { ListPrice } from '../models/schema.ts';
import { factorBetween, hourlyPrice, minutesAhead } from '../models/sources/hourly-price.ts';
import { chargedTier } from '../models/tier-names.ts';
import { type ExpressionNode, parseExpression } from './expression-syntax.ts';
import {
  argumentOf,
  comparisonsIn,
  counted,
  hourFunctions,
  inputs,
  namesIn,
  outputs,
  type Scope,
  type Terms,
  termsOf,
  Unreadable,
  type UnreadablePrice,
} from './expression-terms.ts';

export type ExpressionPrice =
  | { readonly kind: 'tokens'; readonly price: ListPrice }
  /** Dollars per call. */
  | { readonly kind: 'call'; readonly price: number }
  | { readonly kind: 'unreadable'; readonly reason: UnreadablePrice };

/** What looks at the request or the clock in a way that is not read; rules follow three bars. */
const asksRequest = /\|\|\||\b(?:header|when|minute|month|day|is_holiday)\s*\(/;
/** Fields of a request that choose a tier, a speed or a place, as replies name them. */
const tierFields = ['service_tier', 'serviceTier', 'speed', 'inference_geo'] as const;
/** More are no list of prices. */
const mostSteps = 20;
const mostTiers = 4;
/** Hours × steps, so that a source cannot keep the program long. */
const mostPrices = 1000;

/** `expression` with or without its version, `v1:`. */
export function readPriceExpression(expression: string): ExpressionPrice {
  try {
    if (asksRequest.test(expression)) throw new Unreadable('request');
    const tree = parseExpression(expression.replace(/^\s*v1:/, ''));
    if (tree === undefined) throw new Unreadable('text');
    return priceWithTiers(tree);
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'unreadable', reason: error.reason };
    throw error;
  }
}

type Moment = Omit<Scope, 'length' | 'lengths'>;

/** Tiers that fields of the request choose become factors; those of two fields multiply. */
function priceWithTiers(tree: ExpressionNode): ExpressionPrice {
  const tiers = tiersIn(tree);
  const usual = priceByTheHour(tree, new Map());
  if (tiers.length === 0) return usual;
  if (usual.kind !== 'tokens') throw new Unreadable('request');
  const { price } = usual;
  const factorWith = (fields: Moment['fields']): number => {
    const tiered = priceByTheHour(tree, fields);
    const factor = tiered.kind === 'tokens' ? factorBetween(tiered.price, price) : undefined;
    if (factor === undefined) throw new Unreadable('request');
    return factor;
  };
  const factors: Record<string, number> = {};
  for (const { fields, name } of tiers) {
    const factor = factorWith(fields);
    if ((factors[name] ?? factor) !== factor) throw new Unreadable('request');
    factors[name] = factor;
  }
  for (const one of tiers)
    for (const other of tiers) {
      const both = new Map([...one.fields, ...other.fields]);
      if (both.size === 1) continue;
      const product = (factors[one.name] ?? 1) * (factors[other.name] ?? 1);
      if (Math.abs(factorWith(both) - product) > 1e-9) throw new Unreadable('request');
    }
  return { kind: 'tokens', price: { ...price, factors: { ...price.factors, ...factors } } };
}

/** OpenAI takes `fast` for what its replies call `priority`. */
const tierName = (field: string, value: string) =>
  value === 'fast' && field !== 'speed' ? 'priority' : value;

function tiersIn(tree: ExpressionNode) {
  const found = new Map<string, { readonly fields: ReadonlyMap<string, string>; name: string }>();
  for (const { parts } of comparisonsIn(tree)) {
    const [left, right] = parts;
    const field = argumentOf(left, ['param']);
    if (field === undefined) continue;
    if (right.kind !== 'text' || !tierFields.some((name) => name === field))
      throw new Unreadable('request');
    const { value } = right;
    const name = tierName(field, value);
    if (chargedTier(name) !== name) throw new Unreadable('request');
    found.set(`${field} ${value}`, { fields: new Map([[field, value]]), name });
  }
  if (found.size > mostTiers) throw new Unreadable('request');
  return [...found.values()];
}

/** The prices of all hours of a week as one with peak hours. */
function priceByTheHour(tree: ExpressionNode, fields: Moment['fields']): ExpressionPrice {
  const zones = new Set(
    comparisonsIn(tree).flatMap(({ parts }) =>
      parts.flatMap((part) => argumentOf(part, hourFunctions) ?? []),
    ),
  );
  if (zones.size === 0) return priceOf(tree, { day: 0, minute: 0, fields, ahead: new Map() });
  const ahead = new Map(
    [...zones].map((zone) => {
      const minutes = minutesAhead(zone);
      if (minutes === undefined) throw new Unreadable('request');
      return [zone, minutes] as const;
    }),
  );
  const hours = Array.from({ length: 24 }, (_, hour) => hour * 60);
  const bounds = [...ahead.values()].flatMap((minutes) =>
    hours.map((start) => (start + 2 * 1440 - minutes) % 1440),
  );
  if (7 * new Set(bounds).size * (startsIn(tree).length + 1) > mostPrices)
    throw new Unreadable('text');
  const price = hourlyPrice((day, minute) => {
    const one = priceOf(tree, { day, minute, fields, ahead });
    if (one.kind !== 'tokens') throw new Unreadable('request');
    return one.price;
  }, bounds);
  if (price === undefined) throw new Unreadable('request');
  return { kind: 'tokens', price };
}

function priceOf(tree: ExpressionNode, moment: Moment): ExpressionPrice {
  const names = namesIn(tree);
  const starts = [...new Set([0, ...startsIn(tree)])].sort((a, b) => a - b);
  if (starts.length > mostSteps) throw new Unreadable('text');
  // The length of the prompt is p where nothing else of it has a price of its own.
  const lengths = inputs.some((kind) => kind !== 'p' && names.has(kind)) ? ['len'] : ['len', 'p'];
  const leaves = starts.map((start) => ({
    above: start - 1,
    terms: termsOf(tree, { ...moment, length: start, lengths }),
  }));
  const [first] = leaves;
  if (first === undefined) throw new Unreadable('text');
  for (const { terms } of leaves) checkTerms(terms);
  const perCall = first.terms.get('fixed');
  if (perCall !== undefined) {
    if (leaves.some(({ terms }) => !isSame(terms.get('fixed'), perCall)))
      throw new Unreadable('kinds');
    return { kind: 'call', price: toNumber(perCall) };
  }
  if (leaves.some(({ terms }) => terms.has('fixed'))) throw new Unreadable('kinds');
  return { kind: 'tokens', price: listPriceOf(first.terms, leaves.slice(1), names) };
}

/** The lengths from which on a condition says something else. */
function startsIn(tree: ExpressionNode): readonly number[] {
  return comparisonsIn(tree).flatMap(({ parts }) => {
    if (parts.some((part) => part.kind === 'call')) return [];
    const limit = parts.find((part) => part.kind === 'number');
    const value = limit?.kind === 'number' ? Math.floor(toNumber(limit.value)) : undefined;
    return value === undefined ? [] : [value, value + 1];
  });
}

const isSame = (a: Decimal | undefined, b: Decimal) => a !== undefined && compare(a, b) === 0;

/** Tokens alone, or calls alone, and nothing that is given back. */
function checkTerms(terms: Terms): void {
  for (const [kind, value] of terms) {
    if (compare(value, zero) < 0) throw new Unreadable('text');
    if (kind === 'fixed' ? terms.size > 1 : !counted.has(kind) && compare(value, zero) !== 0)
      throw new Unreadable('kinds');
  }
}

/**
 * A kind that the expression does not name costs what the rest of input, or of output, costs; one
 * that it names in other steps only, nothing.
 */
function listPriceOf(
  base: Terms,
  later: readonly { readonly above: number; readonly terms: Terms }[],
  names: ReadonlySet<string>,
): ListPrice {
  const of = (kind: string) => base.get(kind) ?? zero;
  const or = (kind: string, other: string) => toNumber(of(names.has(kind) ? kind : other));
  if (compare(of('p'), zero) === 0 && [...base.values()].some((one) => compare(one, zero) > 0))
    throw new Unreadable('kinds');
  const hasAudio = names.has('ai') || names.has('ao');
  const price: ListPrice = {
    input: toNumber(of('p')),
    output: or('img_o', 'c'),
    ...(names.has('img_o') && !isSame(of('img_o'), of('c')) && { textOutput: toNumber(of('c')) }),
    cacheRead: or('cr', 'p'),
    cacheWrite: or('cc', 'p'),
    ...((names.has('cc') || names.has('cc1h')) && { longCacheWrite: or('cc1h', 'cc') }),
    ...((names.has('img') || names.has('img_cr')) && { imageInput: or('img', 'p') }),
    ...(hasAudio && { audioInput: or('ai', 'p'), audioOutput: or('ao', 'c') }),
    ...(names.has('img_cr') && { imageCacheRead: toNumber(of('img_cr')) }),
  };
  // Shares of a kind that is free have no price of their own here.
  const isLost =
    (price.cacheWrite === 0 && (price.longCacheWrite ?? 0) > 0) ||
    (price.imageInput === 0 && (price.imageCacheRead ?? 0) > 0) ||
    (price.audioInput === 0 && (price.audioOutput ?? 0) > 0) ||
    (price.output === 0 && (price.textOutput ?? 0) > 0);
  if (isLost) throw new Unreadable('kinds');
  const steps = later.map(({ above, terms }) => ({
    above,
    input: factorOf(plainInputs, base, terms),
    output: factorOf(outputs, base, terms),
    ...cacheFactor('cacheRead', cacheReads, base, terms),
    ...cacheFactor('cacheWrite', cacheWrites, base, terms),
  }));
  const changing = steps.filter(({ above: _, ...factors }, index) => {
    const { above: _above, ...before } = steps[index - 1] ?? { above: 0, input: 1, output: 1 };
    return JSON.stringify(before) !== JSON.stringify(factors);
  });
  return { ...price, steps: changing };
}

/** Of cache reads or writes, where it is not that of input. */
function cacheFactor(
  name: 'cacheRead' | 'cacheWrite',
  kinds: readonly string[],
  base: Terms,
  terms: Terms,
): Partial<Record<typeof name, number>> {
  const factor = factorOf(kinds, base, terms);
  const isNamed = kinds.some((kind) => compare(base.get(kind) ?? zero, zero) > 0);
  return isNamed && factor !== factorOf(plainInputs, base, terms) ? { [name]: factor } : {};
}

const cacheReads = ['cr', 'img_cr'] as const;
const cacheWrites = ['cc', 'cc1h'] as const;
const plainInputs = ['p', 'img', 'ai'] as const;

/** By how much all of these kinds are dearer than in `base`. */
function factorOf(kinds: readonly string[], base: Terms, terms: Terms): number {
  const of = (from: Terms, kind: string) => from.get(kind) ?? zero;
  const [first = ''] = kinds.filter((kind) => compare(of(base, kind), zero) > 0);
  const [from, to] = first === '' ? [one, one] : [of(base, first), of(terms, first)];
  const differs = kinds.some(
    (kind) => compare(multiply(of(base, kind), to), multiply(of(terms, kind), from)) !== 0,
  );
  if (differs || compare(to, zero) === 0) throw new Unreadable('steps');
  return ratioTo(toNumber(to), toNumber(from));
}
