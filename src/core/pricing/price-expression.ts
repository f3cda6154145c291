/**
 * Prices that New API states as an expression, as list prices (docs/rules/pricing.md#price-expressions).
 * What no list price can say is not read: a price that is nearly right would be a wrong one.
 */
import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  one,
  ratioTo,
  toNumber,
  zero,
} from '../kernel/decimal.ts';
import type { ListPrice } from '../models/schema.ts';
import { type ExpressionNode, parseExpression } from './expression-syntax.ts';

/**
 * `request`: it depends on fields, headers or the time of a request. `steps`: kinds of tokens become
 * dearer by different factors with the length of the prompt. `kinds`: it prices something that has
 * no price of its own here. `text`: it is none that is known.
 */
export type UnreadablePrice = 'request' | 'steps' | 'kinds' | 'text';

export type ExpressionPrice =
  | { readonly kind: 'tokens'; readonly price: ListPrice }
  /** Dollars per call. */
  | { readonly kind: 'call'; readonly price: number }
  | { readonly kind: 'unreadable'; readonly reason: UnreadablePrice };

/** Dollars per million tokens by what is counted; `''`: a constant, `fixed`: dollars per call. */
type Terms = ReadonlyMap<string, Decimal>;

class Unreadable extends Error {
  readonly reason: UnreadablePrice;
  constructor(reason: UnreadablePrice) {
    super(reason);
    this.reason = reason;
  }
}

const inputs = ['p', 'cr', 'cc', 'cc1h', 'img', 'img_cr', 'ai'] as const;
const outputs = ['c', 'ao', 'img_o'] as const;
const counted: ReadonlySet<string> = new Set([...inputs, ...outputs]);
/** What looks at the request or the clock, wherever it stands; rules follow three bars. */
const asksRequest = /\|\|\||\b(?:param|header|when|hour|minute|weekday|month|day)\s*\(/;
/** More are no list of prices. */
const mostSteps = 20;

/** `expression` with or without its version, `v1:`. */
export function readPriceExpression(expression: string): ExpressionPrice {
  try {
    if (asksRequest.test(expression)) throw new Unreadable('request');
    const tree = parseExpression(expression.replace(/^\s*v1:/, ''));
    if (tree === undefined) throw new Unreadable('text');
    return priceOf(tree);
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'unreadable', reason: error.reason };
    throw error;
  }
}

function priceOf(tree: ExpressionNode): ExpressionPrice {
  const names = namesIn(tree);
  const starts = [...new Set([0, ...startsIn(tree)])].sort((a, b) => a - b);
  if (starts.length > mostSteps) throw new Unreadable('text');
  // The length of the prompt is p where nothing else of it has a price of its own.
  const lengths = inputs.some((kind) => kind !== 'p' && names.has(kind)) ? ['len'] : ['len', 'p'];
  const leaves = starts.map((start) => ({
    above: start - 1,
    terms: termsOf(tree, { length: start, lengths }),
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
  if (names.has('img_o') && !isSame(of('img_o'), of('c'))) throw new Unreadable('kinds');
  const usual = names.has('cc') ? 'cc' : 'p';
  const hasAudio = names.has('ai') || names.has('ao');
  const price: ListPrice = {
    input: toNumber(of('p')),
    output: toNumber(of('c')),
    cacheRead: or('cr', 'p'),
    cacheWrite: or('cc', 'p'),
    ...((names.has('cc') || names.has('cc1h')) && { longCacheWrite: or('cc1h', usual) }),
    ...((names.has('img') || names.has('img_cr')) && { imageInput: or('img', 'p') }),
    ...(hasAudio && { audioInput: or('ai', 'p'), audioOutput: or('ao', 'c') }),
    ...(names.has('img_cr') && { imageCacheRead: toNumber(of('img_cr')) }),
  };
  // Shares of a kind that is free have no price of their own here.
  const isLost =
    (price.cacheWrite === 0 && (price.longCacheWrite ?? 0) > 0) ||
    (price.imageInput === 0 && (price.imageCacheRead ?? 0) > 0) ||
    (price.audioInput === 0 && (price.audioOutput ?? 0) > 0);
  if (isLost) throw new Unreadable('kinds');
  const steps = later.map(({ above, terms }) => ({
    above,
    input: factorOf(inputs, base, terms),
    output: factorOf(outputs, base, terms),
  }));
  const changing = steps.filter(({ input, output }, index) => {
    const before = index === 0 ? { input: 1, output: 1 } : steps[index - 1];
    return before?.input !== input || before.output !== output;
  });
  return { ...price, steps: changing };
}

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

function namesIn(node: ExpressionNode, found = new Set<string>()): ReadonlySet<string> {
  if (node.kind === 'name' || node.kind === 'call') found.add(node.name);
  if ('parts' in node) for (const part of node.parts) namesIn(part, found);
  return found;
}

/** The lengths from which on a condition says something else. */
function startsIn(node: ExpressionNode): readonly number[] {
  if (!('parts' in node)) return [];
  const own = node.kind === 'operator' && isComparison(node.name) ? node.parts : [];
  const limit = own.find((part) => part.kind === 'number');
  const value = limit?.kind === 'number' ? toNumber(limit.value) : undefined;
  const starts = value === undefined ? [] : [Math.floor(value), Math.floor(value) + 1];
  return [...starts.filter((start) => start > 0), ...node.parts.flatMap(startsIn)];
}

const isComparison = (operator: string) => /^(?:[<>]=?|[!=]=)$/.test(operator);

interface Scope {
  readonly length: number;
  /** Names of it. */
  readonly lengths: readonly string[];
}

function termsOf(node: ExpressionNode, scope: Scope): Terms {
  switch (node.kind) {
    case 'number':
      return new Map([['', node.value]]);
    case 'name':
      if (!counted.has(node.name)) throw new Unreadable('kinds');
      return new Map([[node.name, one]]);
    case 'text':
      throw new Unreadable('text');
    case 'call': {
      const [first, second] = node.parts;
      if (node.name === 'tier' && first?.kind === 'text' && second && node.parts.length === 2)
        return termsOf(second, scope);
      if (node.name === 'fixed' && first?.kind === 'number' && second === undefined)
        return new Map([['fixed', first.value]]);
      throw new Unreadable('kinds');
    }
    case 'choice': {
      const [condition, yes, no] = node.parts;
      return termsOf(holds(condition, scope) ? yes : no, scope);
    }
    case 'operator':
      return combine(node.name, termsOf(node.parts[0], scope), termsOf(node.parts[1], scope));
  }
}

function combine(operator: string, left: Terms, right: Terms): Terms {
  const times = (terms: Terms, factor: Decimal): Terms =>
    new Map([...terms].map(([kind, value]) => [kind, multiply(value, factor)]));
  const constant = (terms: Terms) => (terms.size === 1 ? terms.get('') : undefined);
  const [leftNumber, rightNumber] = [constant(left), constant(right)];
  if (operator === '+' || operator === '-') {
    const sum = new Map(left);
    const signed = operator === '+' ? right : times(right, decimal(-1));
    for (const [kind, value] of signed) sum.set(kind, add(sum.get(kind) ?? zero, value));
    return sum;
  }
  if (operator === '*' && rightNumber !== undefined) return times(left, rightNumber);
  if (operator === '*' && leftNumber !== undefined) return times(right, leftNumber);
  if (operator === '/' && rightNumber !== undefined && rightNumber.digits !== 0n)
    return new Map([...left].map(([kind, value]) => [kind, divide(value, rightNumber, 12)]));
  throw new Unreadable('kinds');
}

function holds(node: ExpressionNode, scope: Scope): boolean {
  if (node.kind !== 'operator') throw new Unreadable('kinds');
  const [left, right] = node.parts;
  if (node.name === '&&') return holds(left, scope) && holds(right, scope);
  if (node.name === '||') return holds(left, scope) || holds(right, scope);
  const isLength = (part: ExpressionNode) =>
    part.kind === 'name' && scope.lengths.includes(part.name);
  const length = decimal(scope.length);
  if (isLength(left) && right.kind === 'number')
    return compares(node.name, compare(length, right.value));
  if (isLength(right) && left.kind === 'number')
    return compares(node.name, compare(left.value, length));
  throw new Unreadable('kinds');
}

function compares(operator: string, order: -1 | 0 | 1): boolean {
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    default:
      throw new Unreadable('text');
  }
}
