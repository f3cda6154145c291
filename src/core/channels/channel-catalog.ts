import type { Provider } from '../canonical/provider.ts';
import type { ProviderRegistry } from '../canonical/registry.ts';
import { type Clock, dayOf } from '../kernel/clock.ts';
import { z } from '../kernel/zod.ts';
import { isPast } from '../models/catalogue.ts';
import { knownModels } from '../models/known-models.ts';
import { channelTypes } from '../vocabulary/channel-types.ts';
import { fixedModels } from '../vocabulary/fixed-models.ts';
import { type Operation, operations } from '../vocabulary/operations.ts';
import { type EndingModel, endingModels } from './model-ends.ts';
import { takesVersion } from './takes-version.ts';

/** `choices` lists the values where they are fixed. */
interface SettingField {
  readonly name: string;
  readonly kind: 'flag' | 'text';
  readonly choices: string[];
}

/** A channel type with what its provider can do, for forms and scripts. */
export interface ChannelTypeFacts {
  readonly type: number;
  readonly slug: string;
  readonly name: string;
  /** False: the type is known, but its provider is not implemented. */
  readonly available: boolean;
  readonly operations: Operation[];
  readonly default_base_url: string | null;
  /** The base URL is a complete endpoint address. */
  readonly complete_url: boolean;
  /** The base URL may end in `/v1`. */
  readonly takes_v1: boolean;
  /** Plan names that can be entered instead of a base URL. */
  readonly plan_words: string[];
  readonly key_example: string;
  readonly key_optional: boolean;
  /** The key is a JSON document, which is not split into lines. */
  readonly key_json: boolean;
  readonly other_label: string;
  readonly other_required: boolean;
  /** Fields of `setting` specific to this type. */
  readonly settings: SettingField[];
  readonly lists_models: boolean;
  readonly reads_balance: boolean;
  readonly models: string[];
}

/** A provider's operations. `responses` means that its own Responses API is passed through. */
function operationsOf({ operations: offered }: Provider): Operation[] {
  const responses =
    offered.chat?.passThrough?.some(({ format }) => format === 'openai-responses') === true;
  return operations.filter((operation) =>
    operation === 'responses' ? responses : offered[operation] !== undefined,
  );
}

/** The flags, texts and choices in a provider's schema of `setting`. */
function settingFields({ settings }: Provider): SettingField[] {
  const { properties = {} } = z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, schema]) => {
    const { type, enum: choices = [] } = typeof schema === 'boolean' ? {} : schema;
    return { name, kind: type === 'boolean' ? 'flag' : 'text', choices: choices.map(String) };
  });
}

/** Whether at least one of the vendor's formats supports this account call. */
function tells(
  { account, variants = [] }: Provider,
  question: 'listModels' | 'readBalance',
): boolean {
  return (
    account?.[question] !== undefined || variants.some(({ provider }) => tells(provider, question))
  );
}

/** The catalogue's models of its vendors and its own list, without those that have ended. */
function offeredModels(provider: Provider, day: string): string[] {
  const listed = provider.models.filter((name) => !isPast(knownModels.endOf(name, provider), day));
  return [...new Set([...knownModels.servedBy(provider, day), ...listed])];
}

function factsOf(provider: Provider | undefined, day: string) {
  return {
    available: provider !== undefined,
    operations: provider === undefined ? [] : operationsOf(provider),
    default_base_url: provider?.defaultBaseUrl ?? null,
    complete_url: provider?.completeUrl === true,
    takes_v1: provider !== undefined && takesVersion(provider),
    plan_words: [...(provider?.planNames ?? [])],
    key_example: provider?.keyFormat.example ?? '',
    key_optional: provider?.keyFormat.optional === true,
    key_json: provider?.keyFormat.json === true,
    other_label: provider?.other?.label ?? '',
    other_required: provider?.other?.required === true,
    settings: provider === undefined ? [] : settingFields(provider),
    lists_models: provider !== undefined && tells(provider, 'listModels'),
    reads_balance: provider !== undefined && tells(provider, 'readBalance'),
    models: provider === undefined ? [] : offeredModels(provider, day),
  };
}

function listTypes(providers: ProviderRegistry, day: string): ChannelTypeFacts[] {
  return channelTypes.map(({ type, slug, name }) => {
    const facts = factsOf(providers.forType(type), day);
    return { type, slug, name, ...facts, models: [...(fixedModels(type) ?? facts.models)] };
  });
}

/**
 * A model object in the format of One API's and New API's `/v1/models`
 * (docs/rules/channels.md#model-lists).
 */
export interface ModelObject {
  readonly [key: string]: unknown;
  readonly id: string;
  readonly owned_by: string;
}

const created = 1_626_777_600;

/** The capabilities of the built-in providers, for forms and scripts. */
export interface ChannelCatalog {
  types(): ChannelTypeFacts[];
  /** Every model that the built-in providers know and that has not ended, once. */
  models(): ModelObject[];
  /** Channel type → built-in models. */
  modelsByType(): Record<string, string[]>;
  /**
   * Those of a channel's models that have ended at the provider of its type or soon will, the
   * earliest first (docs/rules/models.md#ends-shown). `mapping`: model → name that is sent.
   */
  endingModels(
    type: number,
    models: readonly string[],
    mapping: Readonly<Record<string, string>>,
  ): readonly EndingModel[];
}

export function createChannelCatalog(providers: ProviderRegistry, clock: Clock): ChannelCatalog {
  const types = () => listTypes(providers, dayOf(clock.now()));
  return {
    types,
    models: () => {
      const owners = new Map<string, string>();
      for (const { slug, models } of types()) {
        for (const model of models) if (!owners.has(model)) owners.set(model, slug);
      }
      return [...owners]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([id, owner]) => ({
          id,
          object: 'model',
          created,
          owned_by: owner,
          permission: [],
          root: id,
          parent: null,
        }));
    },
    endingModels: (type, models, modelMapping) => {
      const provider = providers.forType(type);
      if (provider === undefined) return [];
      return endingModels([{ id: 0, name: '', provider, models, modelMapping }], clock.now());
    },
    modelsByType: () =>
      Object.fromEntries(types().map(({ type, models }) => [String(type), models])),
  };
}
