// Covers src/core/pricing/price-expression.ts, src/core/pricing/expression-syntax.ts, src/core/pricing/expression-terms.ts.
/** Price expressions that no list of prices can say, and texts that are none. */
import { expect, test } from 'vitest';
import { parseExpression } from '../../../src/core/pricing/expression-syntax.ts';
import { readPriceExpression } from '../../../src/core/pricing/price-expression.ts';

test.each([
  ['kinds', '(tier("base", p * 0 + c * 10)) * (param("service_tier") == "flex" ? 0.5 : 1)'],
  ['request', 'tier("base", p * 5 + c * 25)|||when(header("anthropic-beta") has "fast-mode") * 6'],
  // A zone with summer time, three prices of a day, kinds by different factors, days of a year.
  ['request', '(tier("base", p + c)) * (hour("Europe/Berlin") >= 1 ? 2 : 1)'],
  ['request', 'hour("UTC") < 4 ? p + c : hour("UTC") < 9 ? p * 2 + c * 2 : p * 3 + c * 3'],
  ['request', 'hour("UTC") < 4 ? p + c : p * 2 + c'],
  ['request', 'hour("UTC") < 4 ? fixed(1) : fixed(2)'],
  ['request', 'hour("UTC") < 4 ? p * 0 : p'],
  ['request', '(p + c) * (month("UTC") == 1 ? 2 : 1)'],
  ['request', '(p + c) * (hour("Nowhere/AtAll") == 1 ? 2 : 1)'],
  // Fields that are no tier, the usual tier, tiers that do not multiply, only more of one kind.
  ['request', '(p + c) * (param("stream") == "true" ? 2 : 1)'],
  ['request', '(p + c) * (param("service_tier") == "default" ? 2 : 1)'],
  ['request', '(p + c) * (param("service_tier") > 1 ? 2 : 1)'],
  [
    'request',
    'param("speed") == "fast" ? p * 2 + c * 2 : (p + c) * (param("inference_geo") == "us" ? 1.1 : 1)',
  ],
  ['request', 'param("service_tier") == "flex" ? p + c : p * 2 + c'],
  [
    'text',
    `${[1, 2, 3, 4, 5, 6, 7].map((n) => `len < ${n} && hour("UTC") < ${n} ? p * ${n} : `).join('')}p`,
  ],
  // Tiers that are no tokens, one with two factors, one too many, and what is compared with a text.
  ['request', 'param("service_tier") == "flex" ? fixed(1) : fixed(2)'],
  ['request', 'param("speed") == "fast" ? fixed(1) : p + c'],
  [
    'request',
    '(p + c) * (param("service_tier") == "fast" ? 2 : 1) * (param("service_tier") == "priority" ? 3 : 1)',
  ],
  [
    'request',
    `(p + c)${[2, 3, 4, 5, 6].map((n) => ` * (param("service_tier") == "x${n}" ? ${n} : 1)`).join('')}`,
  ],
  ['request', '(p + c) * (param("speed") < "fast" ? 6 : 1)'],
  ...[
    'param == "fast"',
    'param() == "fast"',
    'param(1) == "fast"',
    'param("speed", 1) == "fast"',
    'len == "a"',
    'len < p',
    'c < len',
    '5 < c',
    'len(1) < 5',
    'foo("UTC") < 5',
    'len',
  ].map((condition) => ['kinds', `(p + c) * (${condition} ? 2 : 1)`]),
  ['text', '(p + c) * (len + 5 ? 2 : 1)'],
  // What is no sum of tokens.
  ...[
    'tier(p, c)',
    'tier("a")',
    'tier("a", p, c)',
    'tier()',
    'grade("a", p)',
    'foo(1)',
    'fixed(p)',
    'fixed(1, 2)',
    'fixed()',
    'fixed(1) + p',
    'p + c + q * 0',
    '(p + 0) * c',
    '4 / p',
    '(p + c) / 0',
    'p < 2',
    'len <= 10 ? p * 2 + c * 8 : fixed(0.01)',
    // Shares of a kind that is free.
    'p + c + cc * 0 + cc1h * 6',
    'p + c + img * 0 + img_cr',
    'p + c + ai * 0 + ao * 2',
    'p + img_o * 0 + c * 2',
  ].map((expression) => ['kinds', expression]),
  // Cache reads that become free, and images that are dearer by another factor.
  ['steps', 'len <= 10 ? tier("a", p * 3 + c * 15 + cr * 0.3) : tier("b", p * 6 + c * 22.5)'],
  ['steps', 'len <= 10 ? tier("a", p * 1 + img * 2 + c) : tier("b", p * 2 + img * 2 + c)'],
  ['steps', 'len <= 10 ? tier("a", p * 1 + c * 0) : tier("b", p * 1 + c * 2)'],
  ['kinds', 'len <= 10 ? tier("a", fixed(0.01)) : tier("b", p * 2 + c * 8)'],
  ['kinds', 'c <= 200 ? tier("a", p * 1 + c * 2) : tier("b", p * 1 + c * 4)'],
  // With cached tokens p is less than the length.
  ['kinds', 'p <= 200 ? tier("a", p * 1 + cr * 0.1) : tier("b", p * 2 + cr * 0.2)'],
  ['kinds', 'tier("image", fixed(0.04)) * image_count'],
  ['kinds', 'tier("seconds", u("seconds") * 0.1)'],
  ['kinds', 'tier("out", p * 0 + c * 46)'],
  ['kinds', 'tier("a", p * 2 + c + 100)'],
  ['kinds', 'tier("a", max(p, 10) * 2)'],
  ['text', 'tier("a", p * 2 - p * 3)'],
  ['text', 'tier("a", p *'],
  ...['pv1:+ c', 'xv1:p', 'p + "a"', '(p', 'tier("a" p)', 'p + * c'].map((one) => ['text', one]),
  ['text', `${[1, 2, 3].map((n) => `len < ${n}0 && hour("UTC") < 9 ? p * ${n} : `).join('')}p`],
  ['text', 'undefined'.repeat(1000)],
  ['text', `${'('.repeat(5000)}p`],
  ['text', `${'len < 1 ? p : '.repeat(100)}p`],
  ['text', ''],
])('a price that no list says is not read for %s: %s', (reason, expression) => {
  expect(readPriceExpression(expression)).toEqual({ kind: 'unreadable', reason });
});

test('texts, chains, brackets and steps have a bound, up to which they are read', () => {
  const chain = (signs: number) => `tier("a", p)${'+p'.repeat(signs)}`;
  const brackets = (depth: number) => `${'('.repeat(depth)}p${')'.repeat(depth)}`;
  const steps = (count: number) =>
    `${Array.from({ length: count }, (_, n) => `len > ${2 * (count - 1 - n)} ? p * ${count + 2 - n} : `).join('')}p`;
  const kindOf = (expression: string) => readPriceExpression(expression).kind;
  for (const most of ['p'.padEnd(8000), chain(497), brackets(59), steps(10)])
    expect(kindOf(most), most).toBe('tokens');
  for (const more of ['p'.padEnd(8001), chain(498), brackets(60), steps(11)])
    expect(readPriceExpression(more), more).toEqual({ kind: 'unreadable', reason: 'text' });
});

test('a chain of operators that is too long to be read one in the other is no price', () => {
  for (const chain of ['p*'.repeat(3900), 'p+'.repeat(3900), 'p-'.repeat(3900), 'p||'.repeat(2600)])
    expect(readPriceExpression(`${chain}1`)).toEqual({ kind: 'unreadable', reason: 'text' });
});

test('no text is evaluated or keeps the parser long', () => {
  for (const text of ['process.exit(1)', 'p ** 2', '"a', 'a[0]', '1 2', '`x`y', ';p', 'p;'])
    expect(parseExpression(text), text).toBeUndefined();
  expect(parseExpression("tier('a\\'b', p)")).toMatchObject({ kind: 'call', name: 'tier' });
});
