/**
 * The filters of the square in the URL, what each offers, and how many models each choice would
 * show.
 */
import type { CatalogModel } from '../../../core/contract/model-square.ts';
import { choicesOf, type ModelFilter, matchesModel } from '../../../core/entities/model-filter.ts';
import type { Language } from '../../../core/vocabulary/languages.ts';
import {
  catalogPriceTypes,
  catalogStatuses,
  contextSteps,
  modelTypeOf,
  publishDays,
  specifications,
} from '../../../core/vocabulary/model-square.ts';
import { typeName } from '../../components/model-words.ts';
import { specificationName } from '../../components/specification-name.ts';
import { vendorOfModel } from '../../components/vendor-names.ts';
import type { Translate } from '../../i18n/index.ts';

export const squareUrl = {
  q: '',
  type: '',
  tag: '',
  vendor: '',
  price: '',
  context: '',
  spec: '',
  since: '',
  status: '',
} as const;
export type SquareState = Readonly<Record<keyof typeof squareUrl, string>>;
export type FacetName = Exclude<keyof typeof squareUrl, 'q'>;

/** Several values in one parameter; a comma in a value is written as `%2C`. */
export const joinValues = (values: readonly string[]) =>
  values.map((value) => value.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
export const splitValues = (text: string) =>
  text
    .split(',')
    .filter((value) => value !== '')
    .map((value) => value.replaceAll('%2C', ',').replaceAll('%25', '%'));

export function filterOf(state: SquareState): ModelFilter {
  const numbers = (text: string) => splitValues(text).map(Number).filter(Number.isFinite);
  return {
    model: state.q,
    type: splitValues(state.type),
    tags: splitValues(state.tag),
    manufacturer: splitValues(state.vendor),
    price_type: numbers(state.price),
    context: splitValues(state.context),
    specification: splitValues(state.spec),
    publish_time: numbers(state.since),
    status: numbers(state.status),
  };
}

/** Models that nobody described are those of the vendor that their name or the catalogue tells. */
export function withVendor(model: CatalogModel, language: Language): CatalogModel {
  return model.manufacturer === ''
    ? { ...model, manufacturer: vendorOfModel(model.model, language, model.vendor) }
    : model;
}

export interface FacetChoice {
  readonly value: string;
  readonly label: string;
  readonly count: number;
  /** Manufacturers: one of their models, and its icon. */
  readonly logo?: { readonly model: string; readonly icon: string };
}

export interface Facet {
  readonly name: FacetName;
  readonly label: string;
  /** Choosing one leaves the others. */
  readonly single: boolean;
  readonly chosen: readonly string[];
  readonly choices: readonly FacetChoice[];
}

interface FacetPlan {
  readonly name: FacetName;
  readonly label: string;
  readonly single?: boolean;
  readonly options: readonly Pick<FacetChoice, 'value' | 'label' | 'logo'>[];
}

function find(models: readonly CatalogModel[], state: SquareState, now: number) {
  const filter = filterOf(state);
  return models.filter((model) => matchesModel(model, filter, now));
}

/** What each choice alone finds among the models, kept while these are: a search changes none. */
const foundByChoice = new WeakMap<readonly CatalogModel[], Map<string, readonly CatalogModel[]>>();

function findChoice(
  models: readonly CatalogModel[],
  name: FacetName,
  value: string,
  now: number,
): readonly CatalogModel[] {
  const state = { ...squareUrl, [name]: joinValues([value]) };
  // What was published within some days changes by itself.
  if (name === 'since') return find(models, state, now);
  const known = foundByChoice.get(models) ?? new Map<string, readonly CatalogModel[]>();
  foundByChoice.set(models, known);
  const key = `${name} ${value}`;
  const found = known.get(key) ?? find(models, state, now);
  known.set(key, found);
  return found;
}

export function facetsOf(
  models: readonly CatalogModel[],
  state: SquareState,
  language: Language,
  t: Translate,
): readonly Facet[] {
  const offered = choicesOf(models);
  const sizes = [...new Set([...specifications, ...offered.specification])].filter((size) =>
    offered.specification.some((known) => known.toLowerCase() === size.toLowerCase()),
  );
  const plans: readonly FacetPlan[] = [
    {
      name: 'type',
      label: t('square.filter.type'),
      options: offered.types.map((type) => ({
        value: modelTypeOf(type.type) ?? type.type,
        label: typeName(type, language),
      })),
    },
    {
      name: 'vendor',
      label: t('square.filter.vendor'),
      options: offered.modelManufacturers.map(({ manufacturer, icon }) => ({
        value: manufacturer,
        label: manufacturer,
        logo: {
          model: models.find((model) => model.manufacturer === manufacturer)?.model ?? manufacturer,
          icon,
        },
      })),
    },
    {
      name: 'tag',
      label: t('square.filter.tag'),
      options: offered.tags.map(({ tag, tag_en }) => ({
        value: tag,
        label: language === 'en' ? tag_en : tag,
      })),
    },
    {
      name: 'price',
      label: t('square.filter.price'),
      single: true,
      options: [
        { value: String(catalogPriceTypes.free), label: t('models.price.free') },
        { value: String(catalogPriceTypes.billed), label: t('models.price.billed') },
      ],
    },
    {
      name: 'context',
      label: t('square.filter.context'),
      single: true,
      options: contextSteps.map((step) => ({ value: step, label: `≥ ${step}` })),
    },
    {
      name: 'spec',
      label: t('square.filter.spec'),
      options: sizes.map((size) => ({ value: size, label: specificationName(size, t) })),
    },
    {
      name: 'since',
      label: t('square.filter.since'),
      single: true,
      options: publishDays.map((days) => ({
        value: String(days),
        label: t('square.filter.days', { count: days }),
      })),
    },
    {
      name: 'status',
      label: t('square.filter.status'),
      single: true,
      options: [
        { value: String(catalogStatuses.enabled), label: t('models.status.1') },
        { value: String(catalogStatuses.disabled), label: t('models.status.2') },
      ],
    },
  ];
  const now = Date.now();
  return plans.flatMap(({ name, label, single = false, options }) => {
    const chosen = splitValues(state[name]);
    // All that the other filters find.
    const others = new Set(find(models, { ...state, [name]: '' }, now));
    const counted = options.map((option) => {
      const found = findChoice(models, name, option.value, now);
      return {
        ...option,
        count: found.filter((model) => others.has(model)).length,
        total: found.length,
      };
    });
    // What most models have stands first; steps keep their order.
    const choices = single || name === 'spec' ? counted : counted.sort((a, b) => b.total - a.total);
    // A filter that no model passes, and a status that all models have, tell nothing apart.
    const isUseful =
      name === 'status'
        ? models.some(({ status }) => status !== catalogStatuses.enabled)
        : choices.some(({ total }) => total > 0);
    return options.length > 0 && (isUseful || chosen.length > 0)
      ? [{ name, label, single, chosen, choices }]
      : [];
  });
}
