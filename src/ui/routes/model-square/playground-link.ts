import type { CatalogModel } from '../../../core/contract/model-square.ts';
import type { PlaygroundKind } from '../../../core/vocabulary/model-square.ts';

export interface PlaygroundLink {
  readonly kind: PlaygroundKind;
  readonly to: string;
}

/** Where the model can be tried; undefined: in no playground. */
export function playgroundLink(model: CatalogModel): PlaygroundLink | undefined {
  const { playground: kind, tags } = model;
  if (kind === undefined) return undefined;
  const query = new URLSearchParams({
    model: model.model,
    enable_group: JSON.stringify(model.enable_group),
  });
  if (kind === 'chat') return { kind, to: `/playground?${query}` };
  if (kind === 'video') query.set('tag', tags[0] ?? '');
  return { kind, to: `/playground/${kind}?${query}` };
}
