import { providerForType } from '../providers/index.ts';
import type { Provider } from '../providers/provider.ts';
import { channelTypes } from '../vocabulary/channel-types.ts';
import { type Operation, operations } from '../vocabulary/operations.ts';

/** A channel type with what its provider can do, for forms and scripts. */
export interface ChannelTypeFacts {
  readonly type: number;
  readonly slug: string;
  readonly name: string;
  /** False: declared, its provider is not built yet. */
  readonly available: boolean;
  readonly operations: Operation[];
  readonly default_base_url: string | null;
  readonly key_example: string;
  readonly other_label: string;
  readonly models: string[];
}

/** What a provider can do, by the vocabulary; `responses` where its own Responses interface is passed through. */
function operationsOf({ operations: offered }: Provider): Operation[] {
  const responses = offered.chat?.passThrough?.some(({ format }) => format === 'openai-responses') === true;
  return operations.filter((operation) => (operation === 'responses' ? responses : offered[operation] !== undefined));
}

export function listChannelTypes(): ChannelTypeFacts[] {
  return channelTypes.map(({ type, slug, name }) => {
    const provider = providerForType(type);
    return {
      type,
      slug,
      name,
      available: provider !== undefined,
      operations: provider === undefined ? [] : operationsOf(provider),
      default_base_url: provider?.defaultBaseUrl ?? null,
      key_example: provider?.keyFormat.example ?? '',
      other_label: provider?.other?.label ?? '',
      models: [...(provider?.models ?? [])],
    };
  });
}

/** A model object as `/v1/models` of the family has it (spec, console-api 6.2). */
export interface ModelObject {
  readonly [key: string]: unknown;
  readonly id: string;
  readonly owned_by: string;
}

const created = 1_626_777_600;

/** Every model that the built-in providers know, once. */
export function listBuiltInModels(): ModelObject[] {
  const owners = new Map<string, string>();
  for (const { slug, models } of listChannelTypes()) {
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
}

/** Channel type → built-in models. */
export function listModelsByType(): Record<string, string[]> {
  return Object.fromEntries(listChannelTypes().map(({ type, models }) => [String(type), models]));
}
