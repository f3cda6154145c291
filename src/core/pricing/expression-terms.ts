/** What a price expression says in one case: so long a prompt, at such an hour, in such a tier. */
import { add, compare, type Decimal, decimal, divide, multiply, one } from '../kernel/decimal.ts';
import type { ExpressionNode } from './expression-syntax.ts';

/**
 * `request`: it depends on fields, headers or the time of a request in a way that no list price can
 * say. `steps`: kinds of tokens become dearer by different factors with the length of the prompt.
 * `kinds`: it prices something that has no price of its own here. `text`: it is none that is known.
 * `limits`: it is higher or lower than a price can be.
 */
export type UnreadablePrice = 'request' | 'steps' | 'kinds' | 'text' | 'limits';

export class Unreadable extends Error {
  readonly reason: UnreadablePrice;
  constructor(reason: UnreadablePrice) {
    super(reason);
    this.reason = reason;
  }
}

export const inputs = ['p', 'cr', 'cc', 'cc1h', 'img', 'img_cr', 'ai'] as const;
export const outputs = ['c', 'ao', 'img_o'] as const;
export const counted: ReadonlySet<string> = new Set([...inputs, ...outputs]);

/** Dollars per million tokens by what is counted; `''`: a constant, `fixed`: dollars per call. */
export type Terms = ReadonlyMap<string, Decimal>;

export interface Scope {
  readonly length: number;
  /** Names of it. */
  readonly lengths: readonly string[];
  /** In UTC: days of the week from Sunday on, and minutes of the day. */
  readonly day: number;
  readonly minute: number;
  /** Minutes that each time zone is ahead of it. */
  readonly ahead: ReadonlyMap<string, number>;
  /** Fields of the request. */
  readonly fields: ReadonlyMap<string, string>;
}

/** What is counted or compared in it, by its names. */
export function namesIn(node: ExpressionNode, found = new Set<string>()): ReadonlySet<string> {
  if (node.kind === 'name') found.add(node.name);
  if ('parts' in node) for (const part of node.parts) namesIn(part, found);
  return found;
}

/** Every comparison in it. */
export function comparisonsIn(
  node: ExpressionNode,
): readonly Extract<ExpressionNode, { kind: 'operator' }>[] {
  if (!('parts' in node)) return [];
  const own = node.kind === 'operator' && isComparison(node.name) ? [node] : [];
  return [...own, ...node.parts.flatMap(comparisonsIn)];
}

const isComparison = (operator: string) => /[<>=]/.test(operator);

/** The name of the only text of a call of this function: `param("speed")`. */
export function argumentOf(node: ExpressionNode, functions: readonly string[]): string | undefined {
  if (node.kind !== 'call' || !functions.includes(node.name)) return undefined;
  const [first, second] = node.parts;
  return first?.kind === 'text' && second === undefined ? first.value : undefined;
}

export const hourFunctions = ['hour', 'weekday'] as const;

export function termsOf(node: ExpressionNode, scope: Scope): Terms {
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
  const leftNumber = constant(left);
  const rightNumber = constant(right);
  if (operator === '+' || operator === '-') {
    const sum = new Map(left);
    const signed = operator === '+' ? right : times(right, decimal(-1));
    for (const [kind, value] of signed) {
      const known = sum.get(kind);
      sum.set(kind, known === undefined ? value : add(known, value));
    }
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
  const field = argumentOf(left, ['param']);
  if (field !== undefined && right.kind === 'text') {
    const isIt = scope.fields.get(field) === right.value;
    if (node.name === '==' || node.name === '!=') return isIt === (node.name === '==');
    throw new Unreadable('request');
  }
  const own = figureOf(left, scope);
  const other = figureOf(right, scope);
  if (own !== undefined && right.kind === 'number')
    return compares(node.name, compare(decimal(own), right.value));
  if (other !== undefined && left.kind === 'number')
    return compares(node.name, compare(left.value, decimal(other)));
  throw new Unreadable('kinds');
}

/** The length of the prompt, or the hour or day of the week in a time zone. */
function figureOf(node: ExpressionNode, scope: Scope): number | undefined {
  if (node.kind === 'name' && scope.lengths.includes(node.name)) return scope.length;
  const zone = argumentOf(node, hourFunctions);
  if (zone === undefined || node.kind !== 'call') return undefined;
  const week = 7 * 1440;
  const ahead = scope.ahead.get(zone) ?? 0;
  const local = (scope.day * 1440 + scope.minute + ahead + week) % week;
  return node.name === 'weekday' ? Math.floor(local / 1440) : Math.floor((local % 1440) / 60);
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
