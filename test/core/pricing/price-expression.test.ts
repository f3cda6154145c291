// Covers src/core/pricing/expression-syntax.ts, src/core/pricing/expression-terms.ts, src/core/models/tier-names.ts
import { expect, test } from 'vitest';
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
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite: 3.75,
      longCacheWrite: 6,
      steps: [{ above: 200_000, input: 2, output: 1.5 }],
    },
  ],
  [
    'len <= 272000\n\t? tier("0_272k", p * 12.5 + c * 75 + cr * 1.25 + cc * 15.625)\n\t: tier("272k_plus", p * 25 + c * 112.5 + cr * 2.5 + cc * 31.25)',
    {
      input: 12.5,
      output: 75,
      cacheRead: 1.25,
      cacheWrite: 15.625,
      longCacheWrite: 15.625,
      steps: [{ above: 272_000, input: 2, output: 1.5 }],
    },
  ],
  [
    'len < 32000 ? tier("a", p * 0.5 + c * 2) : (len < 128000 ? tier("b", p * 1 + c * 4) : tier("c", p * 2 + c * 8))',
    {
      input: 0.5,
      output: 2,
      cacheRead: 0.5,
      cacheWrite: 0.5,
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
      input: 1,
      output: 1,
      cacheRead: 1,
      cacheWrite: 1,
      steps: [
        { above: 128_000, input: 2, output: 2 },
        { above: 256_000, input: 3, output: 3 },
      ],
    },
  ],
  [
    'tier("base", p * 0.43 + c * 3.06 + img * 0.78 + ai * 3.81 + ao * 15.11)',
    {
      input: 0.43,
      output: 3.06,
      cacheRead: 0.43,
      cacheWrite: 0.43,
      steps: [],
      imageInput: 0.78,
      audioInput: 3.81,
      audioOutput: 15.11,
    },
  ],
  [
    'p * 5 + cr * 1.25 + img * 8 + img_cr * 2 + c * 30',
    {
      input: 5,
      output: 30,
      cacheRead: 1.25,
      cacheWrite: 5,
      steps: [],
      imageInput: 8,
      imageCacheRead: 2,
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
      input: 3,
      output: 9,
      cacheRead: 0.1,
      cacheWrite: 3,
      steps: [],
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
      input: 2,
      output: 8,
      cacheRead: 2,
      cacheWrite: 2,
      steps: [],
      factors: { offpeak: 0.25 },
      peakHours: [{ days: [0, 1, 2, 3, 4, 5, 6], from: 120, to: 840 }],
    },
  ],
  [
    '(tier("base", p + c * 4)) * (weekday("Asia/Kolkata") == 0 ? 0.8 : 1)',
    {
      input: 1,
      output: 4,
      cacheRead: 1,
      cacheWrite: 1,
      steps: [],
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
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite: 5,
      steps: [{ above: 1000, input: 2, output: 2 }],
      factors: { priority: 2, flex: 0.5, us: 1.1 },
    },
  ],
  [
    '(p + c) * (hour("UTC") < 12 ? 1 : 0.5) * (param("speed") == "fast" ? 6 : 1)',
    {
      input: 1,
      output: 1,
      cacheRead: 1,
      cacheWrite: 1,
      steps: [],
      factors: { offpeak: 0.5, fast: 6 },
      peakHours: [{ days: [0, 1, 2, 3, 4, 5, 6], from: 0, to: 720 }],
    },
  ],
  // Of a model that draws, c is its text.
  [
    'tier("base", p * 2 + c * 12 + img_o * 120)',
    { input: 2, output: 120, textOutput: 12, cacheRead: 2, cacheWrite: 2, steps: [] },
  ],
  // Kinds that only one side names, and kinds that are free.
  ['p * 2 + c * 12 + img_o * 12', { input: 2, output: 12, cacheRead: 2, cacheWrite: 2, steps: [] }],
  [
    'p * 2 + c * 4 + cc1h * 6',
    { input: 2, output: 4, cacheRead: 2, cacheWrite: 2, longCacheWrite: 6, steps: [] },
  ],
  [
    'p * 2 + c * 4 + img_cr',
    {
      input: 2,
      output: 4,
      cacheRead: 2,
      cacheWrite: 2,
      steps: [],
      imageInput: 2,
      imageCacheRead: 1,
    },
  ],
  [
    'p + c * 2 + ai * 3',
    {
      input: 1,
      output: 2,
      cacheRead: 1,
      cacheWrite: 1,
      steps: [],
      audioInput: 3,
      audioOutput: 2,
    },
  ],
  [
    'p + c * 2 + ao * 3',
    {
      input: 1,
      output: 2,
      cacheRead: 1,
      cacheWrite: 1,
      steps: [],
      audioInput: 1,
      audioOutput: 3,
    },
  ],
  [
    'p + img_o * 0 + c * 0 + cc * 0 + img * 0 + img_cr * 0 + ai * 0 + ao * 0',
    {
      input: 1,
      output: 0,
      cacheRead: 1,
      cacheWrite: 0,
      longCacheWrite: 0,
      steps: [],
      imageInput: 0,
      imageCacheRead: 0,
      audioInput: 0,
      audioOutput: 0,
    },
  ],
  // Sums, shares, and numbers on either side.
  [
    ' v1:(p + p + 4 * c - c) / 2 + 0 ',
    { input: 1, output: 1.5, cacheRead: 1, cacheWrite: 1, steps: [] },
  ],
  [
    `${Array.from({ length: 35 }, () => '(p)').join('+')}`,
    { input: 35, output: 0, cacheRead: 35, cacheWrite: 35, steps: [] },
  ],
  // Steps in any order, in words, and by what is left out.
  [
    'len > 200 ? p * 3 + c * 3 : len > 100 ? p * 2 + c * 2 : p + c',
    {
      input: 1,
      output: 1,
      cacheRead: 1,
      cacheWrite: 1,
      steps: [
        { above: 100, input: 2, output: 2 },
        { above: 200, input: 3, output: 3 },
      ],
    },
  ],
  [
    '(p + c) * (len > 5 and len < 10 or len > 100 ? 2 : 1)',
    {
      input: 1,
      output: 1,
      cacheRead: 1,
      cacheWrite: 1,
      steps: [
        { above: 5, input: 2, output: 2 },
        { above: 9, input: 1, output: 1 },
        { above: 100, input: 2, output: 2 },
      ],
    },
  ],
  [
    'len != 5 ? p + c : p * 2 + c * 2',
    {
      input: 1,
      output: 1,
      cacheRead: 1,
      cacheWrite: 1,
      steps: [
        { above: 4, input: 2, output: 2 },
        { above: 5, input: 1, output: 1 },
      ],
    },
  ],
  [
    'len <= 10 ? p + cc * 1.25 + c : p * 2 + cc * 1.25 + c',
    {
      input: 1,
      output: 1,
      cacheRead: 1,
      cacheWrite: 1.25,
      longCacheWrite: 1.25,
      steps: [{ above: 10, input: 2, output: 1, cacheWrite: 1 }],
    },
  ],
  // A zone that is a quarter of an hour off.
  [
    '(p + c) * (hour("Asia/Kathmandu") < 10 ? 0.5 : 1)',
    {
      input: 1,
      output: 1,
      cacheRead: 1,
      cacheWrite: 1,
      steps: [],
      factors: { offpeak: 0.5 },
      peakHours: [{ days: [0, 1, 2, 3, 4, 5, 6], from: 255, to: 1095 }],
    },
  ],
  // A tier by what it is not, one under two names, and as many as there may be.
  [
    '(p + c) * (param("speed") != "fast" ? 1 : 6)',
    { input: 1, output: 1, cacheRead: 1, cacheWrite: 1, steps: [], factors: { fast: 6 } },
  ],
  [
    '(p + c) * (param("service_tier") == "fast" || param("service_tier") == "priority" ? 2 : 1)',
    { input: 1, output: 1, cacheRead: 1, cacheWrite: 1, steps: [], factors: { priority: 2 } },
  ],
  [
    `(p + c)${[2, 3, 4, 5].map((n) => ` * (param("service_tier") == "x${n}" ? ${n} : 1)`).join('')}`,
    {
      input: 1,
      output: 1,
      cacheRead: 1,
      cacheWrite: 1,
      steps: [],
      factors: { x2: 2, x3: 3, x4: 4, x5: 5 },
    },
  ],
  ['tier("request", fixed(0.01))', { kind: 'call', price: 0.01 }],
  ['len <= 10 ? tier("a", fixed(0)) : tier("b", fixed(0))', { kind: 'call', price: 0 }],
])('%s is a price', (expression, price) => {
  expect(list(expression)).toEqual(price);
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
