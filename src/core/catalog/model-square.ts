import { describeChanges } from '../audit/changes.ts';
import type { Commit } from '../audit/commit.ts';
import type { PricingRow } from '../contract/catalog.ts';
import type { CatalogModel, ManagedModel } from '../contract/model-square.ts';
import { type CatalogEntryInput, findEntryProblems } from '../entities/catalog-entry.ts';
import {
  choicesOf,
  type ModelChoices,
  type ModelFilter,
  matchesModel,
} from '../entities/model-filter.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { typeOfModel } from '../models/model-type.ts';
import type { PriceTables } from '../pricing/tables.ts';
import type { VideoRatioTable } from '../pricing/video-ratios.ts';
import type { ModelSquareEntry, ModelSquareRepository, Storage } from '../storage/storage.ts';
import {
  catalogPriceTypes,
  catalogStatuses,
  modelTypeOf,
  modelTypes,
} from '../vocabulary/model-square.ts';
import type { Catalog, Consent } from './catalog.ts';
import type { Fresh } from './fresh.ts';
import { describeModel } from './pricing-page.ts';
import { presentEntry, presentUndescribed, publicPart } from './square-rows.ts';

export interface ModelSquareDeps {
  readonly storage: Pick<Storage, 'modelSquare'>;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly prices: () => PriceTables;
  readonly videoRatios: () => VideoRatioTable;
  readonly stored: Fresh<readonly ModelSquareEntry[]>;
  readonly listPricing: () => Promise<readonly PricingRow[]>;
  readonly offered: Catalog['offered'];
}

/** The catalogue of models (docs/rules/console-api.md#model-square). */
export interface ModelSquare {
  /** For everybody: the entries, and the offered models that nobody described. */
  list(filter: ModelFilter, consent?: Consent): Promise<CatalogModel[]>;
  choices(): Promise<ModelChoices>;
  /** Whether an entry shows this image. */
  hasIcon(address: string): Promise<boolean>;
  /** For managers: entries only. */
  entries(filter: ModelFilter): Promise<ManagedModel[]>;
  /** Throws AppError catalog_model_exists, and what {@link findEntryProblems} names. */
  add(actor: Actor, input: Partial<CatalogEntryInput>): Promise<ManagedModel>;
  /**
   * Absent fields stay unchanged. Throws AppError catalog_model_unknown, and what {@link
   * findEntryProblems} names.
   */
  update(
    actor: Actor,
    input: Partial<CatalogEntryInput> & { readonly model: string },
  ): Promise<ManagedModel>;
  /** Throws AppError catalog_model_unknown. */
  remove(actor: Actor, model: string): Promise<void>;
}

type EntryChange = Partial<Omit<ModelSquareEntry, 'createdTime'>>;

/** The columns of the fields that are given. Free models have no price per call. */
function toChange(input: Partial<CatalogEntryInput>): EntryChange {
  const { model, icon, description, type, manufacturer, status } = input;
  const words = (list: readonly string[] | undefined) => list && JSON.stringify(list);
  const context =
    input.context !== undefined && /^\d+(\.\d+)?$/.test(input.context)
      ? `${input.context}K`
      : input.context;
  const change: { [N in keyof EntryChange]: EntryChange[N] | undefined } = {
    model,
    icon,
    description,
    type,
    manufacturer,
    status,
    context,
    descriptionEn: input.description_en,
    typeEn: input.type_en,
    tags: words(input.tags),
    tagsEn: words(input.tags_en),
    specification: words(input.specification),
    priceType: input.price_type,
    publishTime: input.publish_time,
    modelPrice: input.price_type === catalogPriceTypes.free ? null : input.model_price,
  };
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as EntryChange;
}

function check(input: Partial<CatalogEntryInput>, complete: boolean): void {
  const [problem] = findEntryProblems(input, { complete });
  if (problem !== undefined) throw new AppError(problem.code, problem.params);
}

/** The English name of a known type goes without saying. */
function withTypeName(input: Partial<CatalogEntryInput>): Partial<CatalogEntryInput> {
  const known = input.type === undefined ? undefined : modelTypeOf(input.type);
  return known === undefined || input.type_en ? input : { ...input, type_en: modelTypes[known].en };
}

export function createModelSquare(deps: ModelSquareDeps): ModelSquare {
  const { storage, commit, clock, prices, videoRatios, stored, listPricing, offered } = deps;

  /** What presents an entry: it needs the price list, which is read before anything is written. */
  const presenter = async (
    consent?: Consent,
  ): Promise<(entry: ModelSquareEntry) => ManagedModel> => {
    const rows = new Map((await listPricing()).map((row) => [row.model_name, row]));
    const sold = new Set((await offered(consent)).map(({ model_name }) => model_name));
    const tables = { prices: prices(), videoRatios: videoRatios() };
    return (entry) => {
      const { model, type, typeEn } = entry;
      const isTask = (modelTypeOf(type) ?? modelTypeOf(typeEn) ?? typeOfModel(model)) === 'video';
      const row = rows.get(model) ?? describeModel(model, [], tables, { isTask });
      return presentEntry(entry, row, sold.has(model));
    };
  };
  const present = async (
    entries: readonly ModelSquareEntry[],
    consent?: Consent,
  ): Promise<ManagedModel[]> => entries.map(await presenter(consent));
  const all = async (consent?: Consent): Promise<CatalogModel[]> => {
    const rows = await offered(consent);
    const callable = new Set(rows.map(({ model_name }) => model_name));
    const entries = (await present(await stored.get(), consent)).map(publicPart).map((entry) => {
      const { playground, edits_images, ...rest } = entry;
      return callable.has(entry.model) ? entry : { ...rest, enable_group: [] };
    });
    const described = new Set(entries.map(({ model }) => model));
    const isEnabled = ({ status }: CatalogModel) => status === catalogStatuses.enabled;
    return [
      ...entries.filter(isEnabled),
      ...rows.filter(({ model_name }) => !described.has(model_name)).map(presentUndescribed),
      ...entries.filter((entry) => !isEnabled(entry)),
    ];
  };
  const find = async (models: ModelSquareRepository, model: string): Promise<ModelSquareEntry> => {
    const entry = await models.find(model);
    if (entry === null) throw new AppError('catalog_model_unknown', { model });
    return entry;
  };
  const select = <Row extends CatalogModel>(rows: Row[], filter: ModelFilter) =>
    rows.filter((row) => matchesModel(row, filter, clock.now()));

  return {
    list: async (filter, consent) => select(await all(consent), filter),
    entries: async (filter) => select(await present(await stored.get()), filter),
    choices: async () => choicesOf(await all()),
    hasIcon: async (address) => (await stored.get()).some(({ icon }) => icon === address),
    add: async (actor, given) => {
      const input = withTypeName(given);
      check(input, true);
      const now = nowSeconds(clock);
      const entry: ModelSquareEntry = {
        ...emptyEntry,
        ...toChange(input),
        createdTime: now,
        updatedTime: now,
      };
      const shown = await presenter();
      const { model, createdTime: _c, updatedTime: _u, ...detail } = entry;
      return commit(async (inside, notes) => {
        await inside.modelSquare.insert(entry);
        notes.record(actor, 'model.create', model, describeChanges(emptyEntry, detail));
        notes.changed('models');
        return shown(entry);
      }).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        throw new AppError('catalog_model_exists', { model, field: 'model' });
      });
    },
    update: async (actor, given) => {
      const { model } = given;
      const before = await find(storage.modelSquare, model);
      const { model: _, ...input } = withTypeName(given);
      check(input, false);
      const change = toChange(input);
      // A free model stays without a price.
      if ((change.priceType ?? before.priceType) === catalogPriceTypes.free)
        Object.assign(change, { modelPrice: null });
      const shown = await presenter();
      return commit(async (inside, notes) => {
        if (
          !(await inside.modelSquare.update(model, { ...change, updatedTime: nowSeconds(clock) }))
        )
          throw new AppError('catalog_model_unknown', { model });
        notes.record(actor, 'model.update', model, describeChanges(before, change));
        notes.changed('models');
        return shown(await find(inside.modelSquare, model));
      });
    },
    remove: (actor, model) =>
      commit(async (inside, notes) => {
        if (!(await inside.modelSquare.delete(model)))
          throw new AppError('catalog_model_unknown', { model });
        notes.record(actor, 'model.remove', model);
        notes.changed('models');
      }),
  };
}

/** An entry of which nothing is known yet. */
export const emptyEntry: ModelSquareEntry = {
  model: '',
  icon: '',
  description: '',
  descriptionEn: '',
  type: '',
  typeEn: '',
  tags: '[]',
  tagsEn: '[]',
  manufacturer: '',
  priceType: catalogPriceTypes.billed,
  context: '',
  specification: '[]',
  publishTime: '',
  status: 1,
  modelPrice: null,
  createdTime: 0,
  updatedTime: 0,
};
