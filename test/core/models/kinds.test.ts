import { describe, expect, it } from 'vitest';
import { guessModelType, kindByName } from '../../../src/core/models/kind-by-name.ts';
import { factsOf } from '../../../src/core/models/known-models.ts';
import { converses, kindOfModel, typeOfModel } from '../../../src/core/models/model-type.ts';
import { modelWithBudget, seriesName } from '../../../src/core/models/series.ts';

describe('what a model is called for', () => {
  it.each([
    ['BAAI/bge-m3', 'embedding', 'embedding'],
    ['jina-reranker-v2', 'rerank', 'rerank'],
    ['kling-v2', 'video', 'video'],
    ['wan3.0-t2v', 'video', 'video'],
    ['black-forest-labs/FLUX.1', 'image', 'image'],
    ['mj_imagine', 'image', 'image'],
    ['qwen4-asr', 'transcription', 'audio'],
    ['openai/tts-9', 'speech', 'audio'],
    ['qwen4-omni-realtime', 'realtime', 'chat'],
    ['my-moderation', 'moderation', 'chat'],
    ['davinci', 'completion', 'chat'],
    ['llama-9', undefined, 'chat'],
  ])('%s, which nobody has seen: %s', (model, kind, type) => {
    expect([kindByName(model), guessModelType(model)]).toEqual([kind, type]);
    expect([kindOfModel(model), typeOfModel(model)]).toEqual([kind ?? 'chat', type]);
    expect(converses(model)).toBe(kind === undefined || type !== 'chat');
  });

  it('is what the catalogue says, where it says something', () => {
    expect(kindByName('gemini-nano-banana-3')).toBeUndefined();
    expect(kindOfModel('gemini-nano-banana-3')).toBe('image');
    expect(kindOfModel('openai/gpt-realtime-3')).toBe('realtime');
  });
});

it.each([
  ['qwen4-rerank', { rerank_wire: true }],
  ['gte-rerank-v3', {}],
  ['glm-4-alltools', { whole_replies: false }],
  ['gpt-4o-realtime-preview', { realtime_beta: true }],
])('%s takes %j', (model, takes) => expect(factsOf(model).takes ?? {}).toMatchObject(takes));

it('names of a series have one price', () => {
  expect(seriesName('gpt-4o-gizmo-g-1')).toBe('gpt-4o-gizmo-*');
  expect(seriesName('gpt-4o')).toBe('gpt-4o');
  expect(modelWithBudget('gemini-2.5-flash-lite-thinking-99')).toBe('gemini-2.5-flash-lite');
  expect(modelWithBudget('gemini-2.5-flash')).toBeUndefined();
});
