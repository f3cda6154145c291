/**
 * The rules of an entry of the model square, for the service that enforces them and the form that
 * announces them (docs/rules/console-api.md#model-entry).
 */
import type { ErrorCode, ErrorParams } from '../kernel/errors.ts';
import { isPictureAddress } from '../kernel/picture-addresses.ts';
import { catalogPriceTypes, catalogStatuses, contextSize } from '../vocabulary/model-square.ts';

/** An entry as callers write it. */
export interface CatalogEntryInput {
  readonly model: string;
  /** An address of an image. */
  readonly icon: string;
  readonly description: string;
  readonly description_en: string;
  readonly type: string;
  readonly type_en: string;
  readonly tags: readonly string[];
  readonly tags_en: readonly string[];
  readonly manufacturer: string;
  readonly price_type: number;
  readonly context: string;
  readonly specification: readonly string[];
  /** `yyyy-MM-dd`. */
  readonly publish_time: string;
  readonly status: number;
  /** Units per call, as decimal text; null: none. */
  readonly model_price: string | null;
}
export type CatalogEntryField = keyof CatalogEntryInput;

export interface CatalogEntryProblem {
  readonly field: CatalogEntryField;
  readonly code: ErrorCode;
  readonly params: ErrorParams;
}

/** Lengths in characters, numbers of tags, and the highest price per call. */
export const catalogLimits = {
  model: 255,
  icon: 2048,
  /** A logo may stand in the address itself. */
  iconData: 65_536,
  description: 4000,
  word: 40,
  words: 20,
  price: 1_000_000,
} as const;

const lengths: readonly (readonly [CatalogEntryField, number])[] = [
  ['model', catalogLimits.model],
  ['description', catalogLimits.description],
  ['description_en', catalogLimits.description],
  ['type', catalogLimits.word],
  ['type_en', catalogLimits.word],
  ['manufacturer', catalogLimits.word],
];
const lists = ['tags', 'tags_en', 'specification'] as const;
const required = [
  ...([
    'model',
    'icon',
    'description',
    'publish_time',
    'type',
    'tags',
    'manufacturer',
    'price_type',
    'context',
  ] as const),
  ...(['specification', 'status'] as const),
];

/** A name that stays one part of an address. Slashes are allowed: `org/model`. */
function isModelName(text: string): boolean {
  return (
    !/[\p{Cc}\p{Zl}\p{Zp}]|^\s|\s$/u.test(text) &&
    !text.split('/').some((part) => /^\.{0,2}$/.test(part))
  );
}

/**
 * http(s), a picture of this site, or an image in the address itself. Scripts in it never run: it
 * is only shown as an image.
 */
export function isIconAddress(text: string): boolean {
  const isLong = text.length > (/^data:/i.test(text) ? catalogLimits.iconData : catalogLimits.icon);
  return !isLong && /^(data:|https?:|\/)\S*$/i.test(text) && isPictureAddress(text);
}

/** A day of the calendar as `yyyy-MM-dd`. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}

function isPrice(text: string): boolean {
  return /^\d{1,7}(\.\d{1,18})?$/.test(text) && Number(text) <= catalogLimits.price;
}

const isEmpty = (value: unknown) =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/**
 * What is wrong with the fields that are given, in their order; with `complete` missing ones are
 * wrong, too.
 */
export function findEntryProblems(
  entry: Partial<CatalogEntryInput>,
  { complete }: { readonly complete: boolean },
): readonly CatalogEntryProblem[] {
  const problems: CatalogEntryProblem[] = [];
  const add = (field: CatalogEntryField, code: ErrorCode, params: ErrorParams = {}) =>
    void problems.push({ field, code, params: { field, ...params } });

  for (const field of required) {
    if ((complete || entry[field] !== undefined) && isEmpty(entry[field]))
      add(field, 'catalog_field_required');
  }
  for (const [field, max] of lengths) {
    const value = entry[field];
    if (typeof value === 'string' && [...value].length > max)
      add(field, 'catalog_field_too_long', { max });
  }
  for (const field of lists) {
    const words = entry[field] ?? [];
    if (words.length > catalogLimits.words)
      add(field, 'catalog_too_many_words', { max: catalogLimits.words });
    if (words.some((word) => [...word].length > catalogLimits.word))
      add(field, 'catalog_field_too_long', { max: catalogLimits.word });
  }
  const { model, icon, publish_time, context, price_type, status, model_price } = entry;
  if (model && !isModelName(model)) add('model', 'catalog_model_invalid');
  if (icon && !isIconAddress(icon)) add('icon', 'catalog_icon_invalid');
  if (publish_time && !isCalendarDay(publish_time)) add('publish_time', 'catalog_date_invalid');
  if (context && contextSize(context) === undefined) add('context', 'catalog_context_invalid');
  if (price_type !== undefined && !isOneOf(catalogPriceTypes, price_type))
    add('price_type', 'catalog_choice_invalid');
  if (status !== undefined && !isOneOf(catalogStatuses, status))
    add('status', 'catalog_choice_invalid');
  if (model_price && !isPrice(model_price))
    add('model_price', 'catalog_price_invalid', { max: catalogLimits.price });
  return problems;
}

function isOneOf(choices: Readonly<Record<string, number>>, value: number): boolean {
  return Object.values(choices).includes(value);
}
