/** The syntax of price expressions (./price-expression.ts): a bounded parser, which evaluates nothing. */
import { type Decimal, decimal } from '../kernel/decimal.ts';

export type ExpressionNode =
  | { readonly kind: 'number'; readonly value: Decimal }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly parts: readonly ExpressionNode[] }
  | {
      readonly kind: 'operator';
      readonly name: string;
      readonly parts: readonly [ExpressionNode, ExpressionNode];
    }
  | {
      readonly kind: 'choice';
      /** Condition, then, else. */
      readonly parts: readonly [ExpressionNode, ExpressionNode, ExpressionNode];
    };

/** Longer and deeper texts are no prices. */
const mostCharacters = 8000;
const mostDepth = 60;
/** A chain of operators is read one in the other, so it is deep as well. */
const mostTokens = 1000;

/** By how tightly they bind. */
const operators: readonly (readonly string[])[] = [
  ['||', 'or'],
  ['&&', 'and'],
  ['<=', '>=', '<', '>', '==', '!='],
  ['+', '-'],
  ['*', '/'],
];
const sameOperator: Readonly<Record<string, string>> = { or: '||', and: '&&' };

const token =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d{1,2})?|\.\d+)|([A-Za-z_]\w*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)|(&&|\|\||[<>=!]=|[<>+\-*/?:(),]))/y;

interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'sign';
  readonly text: string;
}

class SyntaxProblem extends Error {}

/** Undefined: it is none. */
export function parseExpression(text: string): ExpressionNode | undefined {
  if (text.length > mostCharacters) return undefined;
  try {
    const tokens = tokensOf(text.trimEnd());
    return tokens.length > mostTokens ? undefined : new Parser(tokens).whole();
  } catch (error) {
    if (error instanceof SyntaxProblem) return undefined;
    throw error;
  }
}

function tokensOf(text: string): readonly Token[] {
  const found: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null) throw new SyntaxProblem();
    const [, number, name, quoted, sign] = match;
    if (number !== undefined) found.push({ kind: 'number', text: number });
    else if (name !== undefined && (name === 'or' || name === 'and'))
      found.push({ kind: 'sign', text: name });
    else if (name !== undefined) found.push({ kind: 'name', text: name });
    else if (quoted !== undefined) found.push({ kind: 'text', text: quoted });
    else found.push({ kind: 'sign', text: sign ?? '' });
  }
  return found;
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): ExpressionNode {
    const node = this.#choice();
    if (this.#next < this.#tokens.length) throw new SyntaxProblem();
    return node;
  }

  #takes(...signs: readonly string[]): string | undefined {
    const next = this.#tokens[this.#next];
    if (next?.kind !== 'sign' || !signs.includes(next.text)) return undefined;
    this.#next += 1;
    return next.text;
  }

  #needs(sign: string): void {
    if (this.#takes(sign) === undefined) throw new SyntaxProblem();
  }

  #choice(): ExpressionNode {
    this.#depth += 1;
    if (this.#depth > mostDepth) throw new SyntaxProblem();
    const condition = this.#operation(0);
    let node = condition;
    if (this.#takes('?') !== undefined) {
      const yes = this.#choice();
      this.#needs(':');
      node = { kind: 'choice', parts: [condition, yes, this.#choice()] };
    }
    this.#depth -= 1;
    return node;
  }

  #operation(level: number): ExpressionNode {
    const names = operators[level];
    if (names === undefined) return this.#value();
    let left = this.#operation(level + 1);
    for (let sign = this.#takes(...names); sign !== undefined; sign = this.#takes(...names)) {
      const parts = [left, this.#operation(level + 1)] as const;
      left = { kind: 'operator', name: sameOperator[sign] ?? sign, parts };
    }
    return left;
  }

  #value(): ExpressionNode {
    if (this.#takes('(') !== undefined) {
      const inner = this.#choice();
      this.#needs(')');
      return inner;
    }
    const next = this.#tokens[this.#next];
    if (next === undefined || next.kind === 'sign') throw new SyntaxProblem();
    this.#next += 1;
    if (next.kind === 'number') return { kind: 'number', value: decimal(next.text) };
    if (next.kind === 'text') return { kind: 'text', value: next.text.slice(1, -1) };
    if (this.#takes('(') === undefined) return { kind: 'name', name: next.text };
    const parts: ExpressionNode[] = [];
    while (this.#takes(')') === undefined) {
      if (parts.length > 0) this.#needs(',');
      parts.push(this.#choice());
    }
    return { kind: 'call', name: next.text, parts };
  }
}
