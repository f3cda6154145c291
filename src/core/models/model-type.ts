/** What a model is for: what the catalogue says, else what its name tells. */
import type { ModelType } from '../vocabulary/model-square.ts';
import { kindByName, typeOfKind } from './kind-by-name.ts';
import { bareModelName, factsOf } from './known-models.ts';
import type { ModelFacts } from './schema.ts';

export function kindOfModel(model: string): NonNullable<ModelFacts['kind']> {
  return factsOf(bareModelName(model)).kind ?? kindByName(model) ?? 'chat';
}

export function typeOfModel(model: string): ModelType {
  return typeOfKind(kindOfModel(model));
}

/** Whether a chat model answers chat completions: some only complete, moderate or speak live. */
export function converses(model: string): boolean {
  const kind = kindOfModel(model);
  return kind !== 'completion' && kind !== 'moderation' && kind !== 'realtime';
}
