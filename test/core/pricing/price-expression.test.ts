// Covers src/core/pricing/expression-syntax.ts, src/core/pricing/expression-terms.ts, src/core/models/tier-names.ts
import { expect, test } from 'vitest';
import { parseExpression } from '../../../src/core/pricing/expression-syntax.ts';
import { readPriceExpression } from '../../../src/core/pricing/price-expression.ts';

const list = (expression: string) => {
  const read = readPriceExpression(expression);
  return read.kind === 'tokens' ? read.price : read;
};

/** Of sites of New API and of its documents (pkg/billingexpr), 2026-11. */
test.each([
  [
    'v1:tier("base", p * 10 + c * 50 + cr * 1 + cc * 12.5 + cc1h * 20)',
    { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5, longCacheWrite: 20, steps: [] },
  ],
  [
    'len <= 200000 ? tier("standard", p*3 + c*15 + cr*0.3 + cc*3.75 + cc1h*6) : tier("long_context", p*6 + c*22.5 + cr*0.6 + cc*7.5 + cc1h*12)',
    {
      ...{ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, longCacheWrite: 6 },
      steps: [{ above: 200_000, input: 2, output: 1.5 }],
    },
  ],
  [
    'len <= 272000\n\t? tier("0_272k", p * 12.5 + c * 75 + cr * 1.25 + cc * 15.625)\n\t: tier("272k_plus", p * 25 + c * 112.5 + cr * 2.5 + cc * 31.25)',
    {
      ...{ input: 12.5, output: 75, cacheRead: 1.25, cacheWrite: 15.625, longCacheWrite: 15.625 },
      steps: [{ above: 272_000, input: 2, output: 1.5 }],
    },
  ],
  [
    'len < 32000 ? tier("a", p * 0.5 + c * 2) : (len < 128000 ? tier("b", p * 1 + c * 4) : tier("c", p * 2 + c * 8))',
    {
      ...{ input: 0.5, output: 2, cacheRead: 0.5, cacheWrite: 0.5 },
      steps: [
        { above: 31_999, input: 2, output: 2 },
        { above: 127_999, input: 4, output: 4 },
      ],
    },
  ],
  // Where nothing else of the prompt has a price, p is its length.
  [
    'p > 128000 && 256000 >= p ? tier("b", p * 2 + c * 2) : p > 256000 ? tier("c", p * 3 + c * 3) : tier("a", p + c)',
    {
      ...{ input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
      steps: [
        { above: 128_000, input: 2, output: 2 },
        { above: 256_000, input: 3, output: 3 },
      ],
    },
  ],
  [
    'tier("base", p * 0.43 + c * 3.06 + img * 0.78 + ai * 3.81 + ao * 15.11)',
    {
      ...{ input: 0.43, output: 3.06, cacheRead: 0.43, cacheWrite: 0.43, steps: [] },
      ...{ imageInput: 0.78, audioInput: 3.81, audioOutput: 15.11 },
    },
  ],
  [
    'p * 5 + cr * 1.25 + img * 8 + img_cr * 2 + c * 30',
    {
      ...{ input: 5, output: 30, cacheRead: 1.25, cacheWrite: 5, steps: [] },
      ...{ imageInput: 8, imageCacheRead: 2 },
    },
  ],
  [
    'tier("base", (p * 4 + c * 20 + cr * 0.4) * 0.5)',
    { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2, steps: [] },
  ],
  [
    'tier("base", p * 0.02)',
    { input: 0.02, output: 0, cacheRead: 0.02, cacheWrite: 0.02, steps: [] },
  ],
  ['tier("free", p * 0 + c * 0)', { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, steps: [] }],
  // Peak hours: on workdays from 9 to 12 and from 14 to 18 in China, dearer then or cheaper else.
  [
    'v1:(weekday("Asia/Shanghai") >= 1 && weekday("Asia/Shanghai") <= 5 && ((hour("Asia/Shanghai") >= 9 && hour("Asia/Shanghai") < 12) || (hour("Asia/Shanghai") >= 14 && hour("Asia/Shanghai") < 18))) ? tier("peak", p * 3 + c * 9 + cr * 0.1) : tier("off_peak", p * 1.5 + c * 4.5 + cr * 0.05)',
    {
      ...{ input: 3, output: 9, cacheRead: 0.1, cacheWrite: 3, steps: [] },
      factors: { offpeak: 0.5 },
      peakHours: [
        { days: [1, 2, 3, 4, 5], from: 60, to: 240 },
        { days: [1, 2, 3, 4, 5], from: 360, to: 600 },
      ],
    },
  ],
  // A night that begins on one day of UTC and ends on the next.
  [
    '(tier("base", p * 2 + c * 8)) * (hour("Asia/Shanghai") >= 22 || hour("Asia/Shanghai") < 10 ? 0.25 : 1)',
    {
      ...{ input: 2, output: 8, cacheRead: 2, cacheWrite: 2, steps: [] },
      factors: { offpeak: 0.25 },
      peakHours: [{ days: [0, 1, 2, 3, 4, 5, 6], from: 120, to: 840 }],
    },
  ],
  [
    '(tier("base", p + c * 4)) * (weekday("Asia/Kolkata") == 0 ? 0.8 : 1)',
    {
      ...{ input: 1, output: 4, cacheRead: 1, cacheWrite: 1, steps: [] },
      factors: { offpeak: 0.8 },
      peakHours: [
        { days: [0], from: 1110, to: 1440 },
        { days: [1, 2, 3, 4, 5], from: 0, to: 1440 },
        { days: [6], from: 0, to: 1110 },
      ],
    },
  ],
  [
    'hour("UTC") >= 0 ? p + c : p * 2',
    { input: 1, output: 1, cacheRead: 1, cacheWrite: 1, steps: [] },
  ],
  // Tiers that the request asks for, beside steps and hours.
  [
    '(len <= 1000 ? tier("a", p * 5 + c * 25 + cr * 0.5) : tier("b", p * 10 + c * 50 + cr * 1)) * (param("service_tier") == "fast" ? 2 : 1) * (param("service_tier") == "flex" ? 0.5 : 1) * (param("inference_geo") == "us" ? 1.1 : 1)',
    {
      ...{ input: 5, output: 25, cacheRead: 0.5, cacheWrite: 5 },
      steps: [{ above: 1000, input: 2, output: 2 }],
      factors: { priority: 2, flex: 0.5, us: 1.1 },
    },
  ],
  [
    '(p + c) * (hour("UTC") < 12 ? 1 : 0.5) * (param("speed") == "fast" ? 6 : 1)',
    {
      ...{ input: 1, output: 1, cacheRead: 1, cacheWrite: 1, steps: [] },
      factors: { offpeak: 0.5, fast: 6 },
      peakHours: [{ days: [0, 1, 2, 3, 4, 5, 6], from: 0, to: 720 }],
    },
  ],
  // Of a model that draws, c is its text.
  [
    'tier("base", p * 2 + c * 12 + img_o * 120)',
    { input: 2, output: 120, textOutput: 12, cacheRead: 2, cacheWrite: 2, steps: [] },
  ],
  ['tier("request", fixed(0.01))', { kind: 'call', price: 0.01 }],
  ['len <= 10 ? tier("a", fixed(0)) : tier("b", fixed(0))', { kind: 'call', price: 0 }],
])('%s is a price', (expression, price) => {
  expect(list(expression)).toEqual(price);
});

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
  ['text', 'undefined'.repeat(1000)],
  ['text', `${'('.repeat(5000)}p`],
  ['text', `${'len < 1 ? p : '.repeat(100)}p`],
  ['text', ''],
])('a price that no list says is not read for %s: %s', (reason, expression) => {
  expect(readPriceExpression(expression)).toEqual({ kind: 'unreadable', reason });
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

test('cache reads and writes may be dearer by factors of their own in a step', () => {
  const expression =
    'len <= 10 ? tier("a", p + cr * 0.1 + cc * 1.25 + c) : tier("b", p * 2 + cr * 0.1 + cc * 2.5 + c)';
  expect(readPriceExpression(expression)).toMatchObject({
    price: { cacheRead: 0.1, steps: [{ above: 10, input: 2, output: 1, cacheRead: 1 }] },
  });
  const steps = readPriceExpression(expression);
  const [step] = steps.kind === 'tokens' ? (steps.price.steps ?? []) : [];
  expect(step?.cacheWrite).toBeUndefined();
});
