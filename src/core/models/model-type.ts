/** What a model is for: what the catalogue says, else what its name tells. */
import { guessModelType, type ModelType } from '../vocabulary/model-square.ts';
import { bareModelName, factsOf } from './known-models.ts';
import type { ModelFacts } from './schema.ts';

const typesOfKinds: Readonly<Record<NonNullable<ModelFacts['kind']>, ModelType>> = {
  chat: 'chat',
  completion: 'chat',
  moderation: 'chat',
  realtime: 'chat',
  embedding: 'embedding',
  rerank: 'rerank',
  image: 'image',
  speech: 'audio',
  transcription: 'audio',
  video: 'video',
};

export function typeOfModel(model: string): ModelType {
  const { kind } = factsOf(bareModelName(model));
  return kind === undefined ? guessModelType(model) : typesOfKinds[kind];
}

/** Whether a chat model answers chat completions: some only complete, moderate or speak live. */
export function converses(model: string): boolean {
  const { kind = 'chat' } = factsOf(bareModelName(model));
  return kind !== 'completion' && kind !== 'moderation' && kind !== 'realtime';
}
