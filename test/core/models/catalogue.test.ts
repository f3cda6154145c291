// Covers src/core/models/rows, src/core/models/rules.
import { describe, expect, it } from 'vitest';
import { ModelCatalogue } from '../../../src/core/models/catalogue.ts';
import { fitEffort } from '../../../src/core/models/fit-effort.ts';
import { generationOf } from '../../../src/core/models/generation.ts';
import { factsOf, knownModels } from '../../../src/core/models/known-models.ts';
import { modelRows } from '../../../src/core/models/rows/index.ts';
import { modelRules } from '../../../src/core/models/rules/index.ts';
import { modelRow, modelRule } from '../../../src/core/models/schema.ts';

const origin = { source: 'https://vendor.example/models', seen: '2026-11-24' };

describe('the built-in data', () => {
  it('has the form that data from outside must have', () => {
    for (const rule of modelRules) expect(modelRule.parse(rule)).toEqual(rule);
    for (const row of modelRows) expect(modelRow.parse(row)).toEqual(row);
  });

  it('names each model once', () => {
    const names = modelRows.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(names.filter((name, position) => names.indexOf(name) !== position)).toEqual([]);
  });

  it('knows each successor', () => {
    const successors = modelRows.flatMap(({ successor }) => successor ?? []);
    expect(successors.filter((name) => knownModels.find(name).row === undefined)).toEqual([]);
  });
});

describe('generations in names', () => {
  it.each([
    ['gpt-5.6-sol', 5.6],
    ['gpt-5-2025-08-07', 5],
    ['gpt-4o', undefined],
    ['gpt-4-32k', 4],
    ['gpt-oss-20b', undefined],
    ['gpt-realtime-2.1', undefined],
    ['o3-mini', 3],
    ['o3d-vision', undefined],
    ['claude-3-7-sonnet-20250219', 3.7],
    ['claude-opus-4-20250514', 4],
    ['claude-opus-5-5', 5.5],
    ['claude-next', Number.POSITIVE_INFINITY],
    ['gemini-2.5-pro-preview-03-25', 2.5],
    ['gemini-flash-latest', Number.POSITIVE_INFINITY],
    ['grok-4.20-reasoning', 4.2],
    ['deepseek-v4-pro', 4],
    ['kimi-k2.6', 2.6],
    ['glm-5.3-flash', 5.3],
    ['llama-4', undefined],
  ])('%s is of %s', (name, generation) => expect(generationOf(name)).toBe(generation));
});

describe('a name that nobody has seen', () => {
  it.each([
    ['gpt-6.9-sol', 'gpt-6'],
    ['gpt-7-luna', 'gpt-6'],
    ['claude-opus-6', 'claude-5.5'],
    ['claude-sonnet-5-7', 'claude-sonnet-5.5'],
    ['gemini-4-boron', 'gemini-4'],
    ['grok-4.8', 'grok-4.6'],
    ['deepseek-v5', 'deepseek-v4'],
    ['gpt-6.9-x', 'gpt-6'],
    ['claude-opus-7', 'claude-5.5'],
    ['gemini-5-neon', 'gemini-4'],
    ['grok-5', 'grok-4.6'],
    ['qwen4-max', 'qwen3'],
    ['kimi-k4', 'kimi-k3'],
    ['glm-6', 'glm-5.3'],
    ['mistral-large-5', 'mistral-large-4'],
    ['doubao-seed-3-0-pro', 'doubao-seed-2'],
    ['MiniMax-M4', 'minimax-m'],
  ])('%s has the rules of %s', (name, family) => {
    expect(knownModels.find(name)).toMatchObject({ family, row: undefined });
    expect(Object.keys(factsOf(name)).length).toBeGreaterThan(0);
  });

  it('is not confused with a model whose name it begins with', () => {
    const catalogue = new ModelCatalogue({
      rules: [],
      rows: [{ name: 'm-5', outputTokens: 9, ...origin }],
    });
    for (const snapshot of ['m-5', 'M-5', 'm-5-20260101', 'm-5-2026-01-01', 'm-5@20260101'])
      expect(catalogue.find(snapshot).facts.outputTokens).toBe(9);
    for (const other of ['m-5-5', 'm-5-mini', 'm-50'])
      expect(catalogue.find(other).row).toBeUndefined();
  });
});

describe('what a site adds', () => {
  it('stands above the built-in data, and goes with it', () => {
    const catalogue = new ModelCatalogue({
      rules: [{ family: 'm', of: ['m-'], takes: { prefill: true, system: true }, ...origin }],
      rows: [{ name: 'm-1', outputTokens: 9, ...origin }],
    });
    expect(catalogue.find('m-2').facts).toEqual({ takes: { prefill: true, system: true } });
    catalogue.replaceAdded({
      rules: [{ family: 'm-2', of: ['m-2'], takes: { prefill: false }, ...origin }],
      rows: [{ name: 'm-1', outputTokens: 8, ...origin }],
    });
    expect(catalogue.find('m-2').facts).toEqual({ takes: { prefill: false, system: true } });
    expect(catalogue.find('m-1').facts.outputTokens).toBe(8);
    catalogue.replaceAdded({ rules: [], rows: [] });
    expect(catalogue.find('m-1').facts.outputTokens).toBe(9);
  });

  it('yields to a built-in row that was seen later', () => {
    const catalogue = new ModelCatalogue({
      rules: [],
      rows: [{ name: 'm-1', outputTokens: 9, ...origin }],
    });
    const rows = [{ name: 'm-1', outputTokens: 8, ...origin, seen: '2026-11-23' }];
    catalogue.replaceAdded({ rules: [], rows });
    expect(catalogue.find('m-1').facts.outputTokens).toBe(9);
    expect(catalogue.added.rows).toEqual([]);
  });
});

describe('efforts', () => {
  it.each([
    ['none', ['low', 'high'], 'low'],
    ['none', ['none', 'high'], 'none'],
    ['minimal', ['none', 'low', 'high'], 'low'],
    ['minimal', ['none', 'high'], 'high'],
    ['medium', ['low', 'high', 'max'], 'high'],
    ['xhigh', ['low', 'high', 'max'], 'high'],
    ['max', ['low', 'high', 'max'], 'max'],
    ['max', ['none', 'low', 'medium', 'high', 'xhigh'], 'xhigh'],
    ['low', [], undefined],
  ] as const)('%s of %j is %s', (wanted, efforts, fitted) =>
    expect(fitEffort(wanted, efforts)).toBe(fitted),
  );
});
