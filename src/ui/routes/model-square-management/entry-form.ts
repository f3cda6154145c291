/**
 * The values of the form for entries, their rules, and the fields of a call they become
 * (docs/rules/console-api.md#model-entry).
 */

import type { ManagedModel } from '../../../core/contract/model-square.ts';
import {
  type CatalogEntryField,
  type CatalogEntryInput,
  findEntryProblems,
} from '../../../core/entities/catalog-entry.ts';
import type { ErrorParams } from '../../../core/kernel/errors.ts';
import { isFree } from '../../../core/pricing/is-free.ts';
import { catalogPriceTypes, catalogStatuses } from '../../../core/vocabulary/model-square.ts';

/** Selects have texts. */
export interface EntryValues
  extends Omit<CatalogEntryInput, 'price_type' | 'status' | 'model_price'> {
  readonly price_type: string;
  readonly status: string;
  readonly model_price: number | '';
}

export const newEntry: EntryValues = {
  model: '',
  icon: '',
  description: '',
  description_en: '',
  type: '',
  type_en: '',
  manufacturer: '',
  context: '',
  tags: [],
  tags_en: [],
  specification: [],
  publish_time: '',
  model_price: '',
  price_type: String(catalogPriceTypes.billed),
  status: String(catalogStatuses.enabled),
};

export function entryValues(entry: ManagedModel): EntryValues {
  return {
    icon: entry.icon,
    description: entry.description,
    description_en: entry.description_en,
    type: entry.type,
    type_en: entry.type_en,
    tags: entry.tags,
    tags_en: entry.tags_en,
    manufacturer: entry.manufacturer,
    context: entry.context,
    specification: entry.specification,
    publish_time: entry.publish_time,
    model: entry.model,
    price_type: String(entry.price_type),
    status: String(entry.status),
    model_price: entry.stored_model_price === null ? '' : Number(entry.stored_model_price),
  };
}

/** The fields of a call. Free models have no price per call. */
export function entryInput(values: EntryValues): CatalogEntryInput {
  const trimmed = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() : value,
    ]),
  ) as unknown as EntryValues;
  const isFree = trimmed.price_type === String(catalogPriceTypes.free);
  return {
    ...trimmed,
    price_type: Number(trimmed.price_type),
    status: Number(trimmed.status),
    model_price: isFree || trimmed.model_price === '' ? null : String(trimmed.model_price),
  };
}

/** Only these fields of a call. */
export function changedInput(
  values: EntryValues,
  changed: readonly string[],
): Partial<CatalogEntryInput> {
  return Object.fromEntries(
    Object.entries(entryInput(values)).filter(
      ([field]) =>
        changed.includes(field) || (field === 'model_price' && changed.includes('price_type')),
    ),
  );
}

const ruleTexts = {
  catalog_field_required: 'management.error.required',
  catalog_field_too_long: 'management.error.long',
  catalog_too_many_words: 'management.error.many',
  catalog_model_invalid: 'management.error.model',
  catalog_icon_invalid: 'management.error.icon',
  catalog_date_invalid: 'management.error.date',
  catalog_context_invalid: 'management.error.context',
  catalog_choice_invalid: 'management.error.required',
  catalog_price_invalid: 'management.error.price',
} as const;
type RuleCode = keyof typeof ruleTexts;

/** What is wrong, by field, as keys of texts. */
export function checkEntry(values: EntryValues) {
  const problems: Partial<
    Record<CatalogEntryField, { text: (typeof ruleTexts)[RuleCode]; params: ErrorParams }>
  > = {};
  for (const { field, code, params } of findEntryProblems(entryInput(values), { complete: true })) {
    problems[field] ??= { text: ruleTexts[code as RuleCode], params };
  }
  return problems;
}

/** Whether a call of the model costs something now. */
export function isCharged(
  entry: Pick<ManagedModel, 'unpriced' | 'model_ratio' | 'model_price' | 'details'>,
): boolean {
  return !entry.unpriced && !isFree(entry);
}
