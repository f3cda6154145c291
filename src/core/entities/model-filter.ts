/**
 * Which models of the model square a filter finds, for the server and for the screen that has them
 * all (docs/rules/console-api.md#model-filter).
 */
import { contextSize, contextSteps, modelTypeOf } from '../vocabulary/model-square.ts';

/** What is compared. */
export interface FilteredModel {
  readonly model: string;
  readonly type: string;
  readonly type_en: string;
  readonly tags: readonly string[];
  readonly tags_en: readonly string[];
  readonly manufacturer: string;
  readonly price_type: number;
  readonly context: string;
  readonly specification: readonly string[];
  readonly publish_time: string;
  readonly status: number;
}

/** An empty list, '' and an absent field do not filter. */
export interface ModelFilter {
  /** A part of the name. */
  readonly model?: string;
  readonly type?: readonly string[];
  readonly tags?: readonly string[];
  readonly manufacturer?: readonly string[];
  readonly price_type?: readonly number[];
  /** `32K`: at least so much; of several, the least. */
  readonly context?: readonly string[];
  readonly specification?: readonly string[];
  /** Published within so many days; of several, the most. */
  readonly publish_time?: readonly number[];
  readonly status?: readonly number[];
}

const day = 86_400_000;
const folded = (text: string) => text.trim().toLowerCase();

interface Words {
  readonly type: readonly string[];
  readonly tags: readonly string[];
  readonly manufacturer: readonly string[];
  readonly specification: readonly string[];
}
/** As words are compared: a screen compares the same models with hundreds of choices. */
const foldedWords = new WeakMap<FilteredModel, Words>();

function wordsOf(model: FilteredModel): Words {
  const known = foldedWords.get(model);
  if (known !== undefined) return known;
  const words: Words = {
    type: [model.type, model.type_en].map(folded),
    tags: [...model.tags, ...model.tags_en].map(folded),
    manufacturer: [folded(model.manufacturer)],
    specification: model.specification.map(folded),
  };
  foldedWords.set(model, words);
  return words;
}

/** One of several words is one of these words. */
const share = (known: readonly string[], wanted: readonly string[]): boolean =>
  wanted.some((word) => known.includes(folded(word)));

function isOfType(model: FilteredModel, wanted: readonly string[]): boolean {
  if (share(wordsOf(model).type, wanted)) return true;
  const own = modelTypeOf(model.type) ?? modelTypeOf(model.type_en);
  return own !== undefined && wanted.some((word) => modelTypeOf(word) === own);
}

function hasContext({ context }: FilteredModel, wanted: readonly string[]): boolean {
  const size = contextSize(context);
  const least = Math.min(...wanted.map((step) => contextSize(step) ?? Number.POSITIVE_INFINITY));
  return size !== undefined && size >= least;
}

/** `now` in milliseconds. */
function isPublishedWithin(
  { publish_time }: FilteredModel,
  days: readonly number[],
  now: number,
): boolean {
  const published = Date.parse(publish_time);
  return Number.isFinite(published) && now - published <= Math.max(...days) * day;
}

function isSet<T>(values: readonly T[] | undefined): values is readonly T[] {
  return values !== undefined && values.length > 0;
}

/** Whether every field that filters finds the model; `now` in milliseconds. */
export function matchesModel(model: FilteredModel, filter: ModelFilter, now: number): boolean {
  const { model: name, type, tags, manufacturer, price_type } = filter;
  const { context, specification, publish_time, status } = filter;
  return (
    (name === undefined || name === '' || folded(model.model).includes(folded(name))) &&
    (!isSet(type) || isOfType(model, type)) &&
    (!isSet(tags) || share(wordsOf(model).tags, tags)) &&
    (!isSet(manufacturer) || share(wordsOf(model).manufacturer, manufacturer)) &&
    (!isSet(price_type) || price_type.includes(model.price_type)) &&
    (!isSet(context) || hasContext(model, context)) &&
    (!isSet(specification) || share(wordsOf(model).specification, specification)) &&
    (!isSet(publish_time) || isPublishedWithin(model, publish_time, now)) &&
    (!isSet(status) || status.includes(model.status))
  );
}

/** What models can be filtered by: what they have, in the order in which it appears. */
export interface ModelChoices {
  readonly types: { type: string; type_en: string }[];
  readonly tags: { tag: string; tag_en: string }[];
  readonly modelManufacturers: { manufacturer: string; icon: string }[];
  readonly specification: string[];
  readonly contexts: string[];
}

/** The first item with each name; those without a name are left out. */
function distinct<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const byName = new Map<string, T>();
  for (const item of items) {
    const name = folded(nameOf(item));
    if (name !== '' && !byName.has(name)) byName.set(name, item);
  }
  return [...byName.values()];
}

/**
 * The English tag at the same place is the tag's name in English; a known type under another word
 * is the same type.
 */
export function choicesOf(
  models: readonly (FilteredModel & { readonly icon: string })[],
): ModelChoices {
  const tags = models.flatMap((model) =>
    model.tags.map((tag, index) => ({ tag, tag_en: model.tags_en[index] ?? tag })),
  );
  const withIconsFirst = [...models].sort((a, b) => Number(a.icon === '') - Number(b.icon === ''));
  return {
    types: distinct(
      models.map(({ type, type_en }) => ({ type, type_en })),
      ({ type, type_en }) => modelTypeOf(type) ?? modelTypeOf(type_en) ?? type,
    ),
    tags: distinct(tags, ({ tag }) => tag),
    modelManufacturers: distinct(
      withIconsFirst.map(({ manufacturer, icon }) => ({ manufacturer, icon })),
      ({ manufacturer }) => manufacturer,
    ),
    specification: distinct(
      models.flatMap(({ specification }) => specification),
      (text) => text,
    ),
    contexts: [...contextSteps],
  };
}
