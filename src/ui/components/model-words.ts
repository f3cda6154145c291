/** Words of catalogue entries in the reader's language. */
import type { CatalogModel } from '../../core/contract/model-square.ts';
import type { Language } from '../../core/vocabulary/languages.ts';
import { modelTypeOf, modelTypes } from '../../core/vocabulary/model-square.ts';

type Words = Pick<
  CatalogModel,
  'type' | 'type_en' | 'tags' | 'tags_en' | 'description' | 'description_en'
>;

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Types that are known under several words have one name. */
export function typeName(
  { type, type_en }: Pick<Words, 'type' | 'type_en'>,
  language: Language,
): string {
  const known = modelTypeOf(type) ?? modelTypeOf(type_en);
  if (known !== undefined) return capitalised(modelTypes[known][language]);
  return capitalised(language === 'en' && type_en !== '' ? type_en : type);
}

/** A tag without a name in English keeps its own. */
export function tagNames(
  { tags, tags_en }: Pick<Words, 'tags' | 'tags_en'>,
  language: Language,
): readonly string[] {
  const names = language === 'en' ? tags.map((tag, index) => tags_en[index] ?? tag) : tags;
  return [...new Set(names)];
}

export function descriptionOf({ description, description_en }: Words, language: Language): string {
  return language === 'en' && description_en !== '' ? description_en : description;
}
