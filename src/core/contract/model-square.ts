/**
 * The catalogue of models that visitors browse, and its management
 * (docs/rules/console-api.md#model-square).
 */
import { z } from '../kernel/zod.ts';
import { pricingRow } from './catalog.ts';
import { endpoint, nothing } from './endpoint.ts';

const prices = pricingRow.pick({
  quota_type: true,
  model_ratio: true,
  completion_ratio: true,
  model_price: true,
  cache_ratio: true,
  cache_creation_ratio: true,
  create_cache_ratio: true,
  image_ratio: true,
  audio_ratio: true,
  audio_completion_ratio: true,
  video_ratios: true,
  image_factors: true,
  details: true,
  unpriced: true,
  ends: true,
  successor: true,
  playground: true,
  edits_images: true,
});

/** A model as the square shows it. Prices and groups are those of the price list now. */
const catalogModel = z.object({
  model: z.string(),
  /** An address of an image, or ''. */
  icon: z.string(),
  description: z.string(),
  description_en: z.string(),
  type: z.string(),
  type_en: z.string(),
  tags: z.array(z.string()),
  tags_en: z.array(z.string()),
  manufacturer: z.string(),
  /** 1 free, 2 billed. */
  price_type: z.number().int(),
  /** Whose model the catalogue says that it is, by the slug of a channel type, or ''. */
  vendor: z.string(),
  /** Such as `128K` or `1M`. */
  context: z.string(),
  /** Most tokens of an answer, or ''. */
  longest_answer: z.string(),
  /** The same as a number; 0: it is not known. */
  output_limit: z.number().int(),
  /** `text`, `image`, `audio`, `video`, `file`; none: it is not known. */
  reads: z.array(z.string()),
  writes: z.array(z.string()),
  /** What a call for images can ask for, its defaults first; null: it is not known. */
  images: z
    .object({
      sizes: z.array(z.string()),
      qualities: z.array(z.string()),
      most: z.number().int(),
    })
    .nullable(),
  specification: z.array(z.string()),
  /** `yyyy-MM-dd`, or ''. */
  publish_time: z.string(),
  /** 1 enabled, 2 disabled. */
  status: z.number().int(),
  ...prices.shape,
  /** The groups that can call it now; none: no channel serves it, or it has no price. */
  enable_group: z.array(z.string()),
});
export type CatalogModel = z.infer<typeof catalogModel>;

/** An entry with what only its managers see. */
const managedModel = catalogModel.extend({
  created_time: z.number().int(),
  updated_time: z.number().int(),
  /** The stored price per call, shown where the model has no price of its own; null: none. */
  stored_model_price: z.string().nullable(),
});
export type ManagedModel = z.infer<typeof managedModel>;

const scalar = z.union([z.string(), z.number()]);
const oneOrMany = z.union([scalar, z.array(scalar).max(100)]).nullish();
type OneOrMany = z.output<typeof oneOrMany>;

const asList = (value: OneOrMany): readonly (string | number)[] => {
  if (value === undefined || value === null) return [];
  return typeof value === 'object' ? value : [value];
};
/** A scalar is a list of one; empty texts do not filter. */
const words = oneOrMany.transform((value) =>
  asList(value)
    .map((word) => String(word).trim())
    .filter((word) => word !== ''),
);
const numbers = words.transform((list) => list.map(Number).filter(Number.isFinite));

export const modelFilter = z.object({
  model: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  type: words,
  tags: words,
  manufacturer: words,
  price_type: numbers,
  context: words,
  specification: words,
  publish_time: numbers,
  status: numbers,
});

/** A list, or texts with commas. */
const list = z
  .union([z.string(), z.array(z.string()).readonly()])
  .transform((value) =>
    (typeof value === 'string' ? [value] : value).flatMap((text) => text.split(/[,，、\n]/)),
  )
  .transform((entries) => [
    ...new Set(entries.map((entry) => entry.trim()).filter((entry) => entry !== '')),
  ])
  .optional();
const choice = z.coerce.number<number | string>().optional();

/** Missing and wrong values are named by the service, with errors of their own. */
export const modelEntry = z.object({
  icon: z.string().trim().optional(),
  description: z.string().trim().optional(),
  description_en: z.string().trim().optional(),
  type: z.string().trim().optional(),
  type_en: z.string().trim().optional(),
  tags: list,
  tags_en: list,
  manufacturer: z.string().trim().optional(),
  price_type: choice,
  context: scalar.transform((value) => String(value).trim().toUpperCase()).optional(),
  specification: list,
  publish_time: z.string().trim().optional(),
  status: choice,
  /** Units per call; null or '': none. */
  model_price: scalar
    .nullable()
    .transform((value) => (value === null || value === '' ? null : String(value).trim()))
    .optional(),
});
const pageNumber = z.coerce.number<number | string>().int().min(1);

export const modelSquareApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/model_list',
    access: 'visitor',
    shape: 'flat',
    input: modelFilter,
    output: z.object({
      data: z.array(catalogModel),
      group_ratio: z.record(z.string(), z.number()),
    }),
    summary: 'Models of the model list: its entries, and what the channels serve besides',
  }),
  filters: endpoint({
    method: 'GET',
    path: '/api/model_filter',
    access: 'visitor',
    input: nothing,
    output: z.object({
      types: z.array(z.object({ type: z.string(), type_en: z.string() })),
      tags: z.array(z.object({ tag: z.string(), tag_en: z.string() })),
      modelManufacturers: z.array(z.object({ manufacturer: z.string(), icon: z.string() })),
      specification: z.array(z.string()),
      contexts: z.array(z.string()),
    }),
    summary: 'What the models of the model list can be filtered by',
  }),
  manage: endpoint({
    method: 'POST',
    path: '/api/model_square_management/model_list',
    access: 'admin',
    shape: 'list',
    input: modelFilter.extend({
      p: pageNumber.optional(),
      page_size: pageNumber.max(100).optional(),
    }),
    output: z.array(managedModel),
    summary: 'Entries of the model list; all of them unless a page is named',
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/model_square_management/add',
    access: 'admin',
    input: modelEntry.extend({ model: z.string().default('') }),
    output: managedModel,
    summary: 'Add an entry to the model list',
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/model_square_management/update',
    access: 'admin',
    input: modelEntry.extend({ model: z.string() }),
    output: managedModel,
    summary: 'Edit the entry of a model; absent fields stay unchanged',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/model_square_management/delete/*model',
    access: 'admin',
    input: z.object({ model: z.string() }),
    output: z.undefined(),
    summary: 'Delete the entry of a model; slashes in the name may be encoded or not',
  }),
};
