import { describe, expect, it } from 'vitest';
import {
  converted,
  draftOf,
  editOf,
  noTexts,
  type PriceDraft,
  problemsOf,
  withEntry,
} from '../../../../src/ui/routes/setting/prices/price-draft.ts';
import {
  editTables,
  readTable,
  rowsOf,
  type Tables,
  textOfTable,
} from '../../../../src/ui/routes/setting/prices/price-tables.ts';
import { fc, runs } from '../../../support/property.ts';

const quotaPerUnit = 500_000;
const rules = { taken: undefined, batch: false, quotaPerUnit };
const draft = (
  part: Partial<PriceDraft>,
  texts: Partial<PriceDraft['texts']> = {},
): PriceDraft => ({
  ...draftOf('m', {}),
  ...part,
  texts: { ...noTexts, ...texts },
});

describe('conversion', () => {
  it('a ratio is the price per million over 2, a completion ratio output over input', () => {
    const prices = draft(
      { entry: 'price' },
      { input: '3', output: '15', cached: '0.3', audioIn: '6', audioOut: '24' },
    );
    expect(editOf(prices, rules)).toEqual({
      ModelPrice: null,
      ModelRatio: 1.5,
      CompletionRatio: 5,
      CacheRatio: 0.1,
      CreateCacheRatio: null,
      ImageRatio: null,
      AudioRatio: 2,
      AudioCompletionRatio: 4,
    });
    expect(withEntry(prices, 'ratio', quotaPerUnit).texts).toMatchObject({
      input: '1.5',
      output: '5',
      audioOut: '4',
    });
  });

  it('prices follow from ratios at the quota per unit of the site', () => {
    const ratios = draft({}, { input: '1.25', output: '4', image: '2' });
    expect(converted(ratios, quotaPerUnit)).toMatchObject({
      input: '2.5',
      output: '10',
      image: '5',
      cached: '',
      audioOut: '',
    });
    expect(converted(ratios, 1_000_000)).toMatchObject({ input: '1.25', output: '5' });
  });

  it('a price that is not changed keeps its ratio to the last digit', () => {
    const before = { ModelRatio: 0.15, CompletionRatio: 2.5 / 0.3, CacheRatio: 0.1 };
    const shown = withEntry(draftOf('m', before), 'price', quotaPerUnit);
    expect(shown.texts).toMatchObject({ input: '0.3', output: '2.5' });
    expect(editOf(shown, rules)).toMatchObject(before);
    const dearer = { ...shown, texts: { ...shown.texts, input: '0.6' } };
    expect(editOf(dearer, rules)).toMatchObject({
      ModelRatio: 0.3,
      CacheRatio: 0.05,
    });
  });

  it('a look at the other view changes nothing, also of what was typed before', () => {
    // 0.003 yuan for 1,000 tokens, and a ratio with more digits than prices are shown with.
    const before = {
      ModelRatio: (0.003 * 500) / 7.3,
      AudioRatio: 1 / 3,
      AudioCompletionRatio: 2 / 3,
    };
    const look = (typed: PriceDraft) => {
      const there = withEntry(typed, typed.entry === 'ratio' ? 'price' : 'ratio', quotaPerUnit);
      return withEntry(there, typed.entry, quotaPerUnit);
    };
    const opened = draftOf('m', before);
    expect(look(opened).texts).toEqual(opened.texts);
    expect(look(look(look(opened))).texts).toEqual(opened.texts);
    expect(editOf(look(opened), rules)).toMatchObject(before);
    const typed = { ...opened, texts: { ...opened.texts, input: '0.123456789123', output: '4' } };
    const prices = withEntry(typed, 'price', quotaPerUnit);
    expect(editOf(prices, rules)).toMatchObject({ ModelRatio: 0.123456789123 });
    const changed = { ...prices, texts: { ...prices.texts, output: '1' } };
    const back = withEntry(changed, 'ratio', quotaPerUnit).texts;
    expect(back).toMatchObject({ input: '0.123456789123', audioIn: opened.texts.audioIn });
    expect(Number(back.output)).toBeCloseTo(1 / 0.246913578, 8);
    const price = draft({ entry: 'price' }, { input: '0.7', output: '0.123456789012345' });
    expect(look(price).texts).toEqual(price.texts);
  });

  it('a price that is not 0 is not shown as 0', () => {
    const tiny = draft({}, { input: '0.0000000000123', output: '0.5' });
    expect(converted(tiny, quotaPerUnit)).toMatchObject({
      input: '0.000000000025',
      output: '0.000000000012',
    });
  });

  it('there and back again is the same price', () => {
    const price = fc.integer({ min: 1, max: 1_000_000 }).map((value) => String(value / 1000));
    fc.assert(
      fc.property(price, price, price, (input, output, cached) => {
        const typed = draft({ entry: 'price' }, { input, output, cached });
        const back = withEntry(withEntry(typed, 'ratio', quotaPerUnit), 'price', quotaPerUnit);
        for (const kind of ['input', 'output', 'cached'] as const) {
          expect(Math.abs(Number(back.texts[kind]) - Number(typed.texts[kind]))).toBeLessThan(1e-6);
        }
      }),
      runs(300),
    );
  });
});

describe('validation', () => {
  it.each([
    ['not a number', draft({}, { input: 'abc' }), { input: 'prices.problem.number' }],
    ['a comma for a point', draft({}, { input: '1,5' }), { input: 'prices.problem.number' }],
    ['an exponent', draft({}, { input: '1e9999' }), { input: 'prices.problem.number' }],
    ['no ratio', draft({}), { input: 'prices.problem.number' }],
    [
      'a negative ratio',
      draft({}, { input: '1', output: '-1' }),
      { output: 'prices.problem.negative' },
    ],
    [
      'more than the server takes',
      draft({}, { input: '1000001' }),
      { input: 'prices.problem.tooLarge' },
    ],
    [
      'a fixed price of 0',
      draft({ billing: 'request', perRequest: '0.00' }),
      { perRequest: 'prices.problem.zero' },
    ],
    ['no fixed price', draft({ billing: 'request' }), { perRequest: 'prices.problem.number' }],
    [
      'output at a free input',
      draft({ entry: 'price' }, { input: '0', output: '1' }),
      { output: 'prices.problem.needsInput' },
    ],
    [
      'audio output without audio input',
      draft({ entry: 'price' }, { input: '1', audioOut: '1' }),
      { audioOut: 'prices.problem.needsAudio' },
    ],
    ['a free model', draft({}, { input: '0' }), {}],
  ])('%s', (_, typed, problems) => {
    expect(problemsOf(typed, rules)).toEqual(problems);
  });

  it('a new model needs a name of its own', () => {
    const taken = new Set(['m']);
    const named = (name: string) =>
      problemsOf(draft({ name }, { input: '1' }), { ...rules, taken });
    expect(named(' ')).toEqual({ name: 'prices.problem.name' });
    expect(named(' m ')).toEqual({ name: 'prices.problem.taken' });
    expect(named('n')).toEqual({});
  });

  it('of several models, what is left empty stays', () => {
    const typed = draft({}, { cached: '0.1' });
    expect(problemsOf(typed, { ...rules, batch: true })).toEqual({});
    expect(editOf(typed, { ...rules, batch: true })).toEqual({ ModelPrice: null, CacheRatio: 0.1 });
  });
});

describe('tables', () => {
  const none = {
    CompletionRatio: {},
    CacheRatio: {},
    CreateCacheRatio: {},
    ImageRatio: {},
    AudioRatio: {},
  };
  const tables: Tables = {
    ...none,
    ModelPrice: { both: 0.1 },
    ModelRatio: { both: 1, b: 2 },
    AudioCompletionRatio: {},
  };

  it('a fixed price ends the ratios of the model and leaves the others', () => {
    const edit = editOf(draft({ billing: 'request', perRequest: '0.2' }), rules);
    const changed = editTables(tables, ['both'], edit);
    expect(changed.ModelPrice).toEqual({ both: 0.2 });
    expect(changed.ModelRatio).toEqual({ b: 2 });
  });

  it('marks conflicts and what differs from what is stored', () => {
    const stored = { ...tables, ModelRatio: { both: 1, b: 3 } };
    expect(
      rowsOf(tables, stored).map(({ name, changed, conflict }) => [name, changed, conflict]),
    ).toEqual([
      ['b', true, false],
      ['both', false, true],
    ]);
  });

  it('a change that is taken back leaves the stored text', () => {
    const stored = '{ "a": 1, "b": 2 }';
    expect(textOfTable({ b: 2, a: 1 }, stored)).toBe(stored);
    expect(JSON.parse(textOfTable({ b: 2 }, stored))).toEqual({ b: 2 });
  });

  it.each(['', '[]', '{"a":', '{"a":"1"}', '{"a":-1}', '{"a":null}'])('%j is no table', (text) => {
    expect(readTable(text)).toBeUndefined();
  });

  it('takes any name, also one of an object’s own methods', () => {
    expect(
      rowsOf({ ...tables, ModelRatio: { constructor: 1 } } as Tables, tables).map(
        ({ name }) => name,
      ),
    ).toContain('constructor');
    expect(editTables(tables, ['toString'], { ModelRatio: 1 }).ModelRatio).toMatchObject({
      toString: 1,
    });
  });
});
