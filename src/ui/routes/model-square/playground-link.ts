import type { CatalogModel } from '../../../core/contract/model-square.ts';
import { modelTypeOf } from '../../../core/vocabulary/model-square.ts';

export type PlaygroundKind = 'chat' | 'image' | 'video';

export interface PlaygroundLink {
  readonly kind: PlaygroundKind;
  readonly to: string;
}

/**
 * Where the model can be tried; undefined for types that have no playground. A type of the
 * operator's own is taken for chat.
 */
export function playgroundLink(model: CatalogModel): PlaygroundLink | undefined {
  const type = modelTypeOf(model.type) ?? modelTypeOf(model.type_en) ?? 'chat';
  const query = new URLSearchParams({
    model: model.model,
    enable_group: JSON.stringify(model.enable_group),
  });
  switch (type) {
    case 'chat':
      return { kind: 'chat', to: `/playground?${query}` };
    case 'image':
      return { kind: 'image', to: `/playground/image?${query}` };
    case 'video':
      query.set('tag', model.tags[0] ?? '');
      return { kind: 'video', to: `/playground/video?${query}` };
    default:
      return undefined;
  }
}
