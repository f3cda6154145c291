/**
 * What a site can serve now: a model counts only where the provider of some channel has an adapter
 * for what the model is for (docs/rules/pricing.md#offered).
 */
import type { Provider } from '../canonical/provider.ts';
import { bareModelName, factsOf } from '../models/known-models.ts';
import { converses, typeOfModel } from '../models/model-type.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import type { ModelType, PlaygroundKind } from '../vocabulary/model-square.ts';
import { type Operation, operations } from '../vocabulary/operations.ts';
import type { TaskPlatform } from '../vocabulary/task-types.ts';

type Server = Pick<UpstreamChannel, 'provider' | 'modelMapping'>;
type GroupServer = Server & Pick<UpstreamChannel, 'groups' | 'models'>;
/** Types that the operator gave to models in the model square; they count more than names. */
export type GivenTypes = ReadonlyMap<string, ModelType>;

/** Where a model is served, and which playground can use it. */
export interface ServedModel {
  readonly groups: ReadonlySet<string>;
  readonly playground: PlaygroundKind | undefined;
  /** Whether a channel takes images of it to be edited. */
  readonly editsImages: boolean;
  /** Nothing but tasks can be ordered of it. */
  readonly isTask: boolean;
}

/** A model of a type needs any of these operations, or the platform of its tasks. */
interface Needs {
  readonly operations: readonly Operation[];
  readonly platform?: TaskPlatform;
}

const needs: Readonly<Record<ModelType, Needs>> = {
  // Names that tell nothing are taken for chat, also where the vendor has something else.
  chat: { operations },
  embedding: { operations: ['embedding'] },
  rerank: { operations: ['rerank'] },
  image: { operations: ['image', 'image-edit'], platform: 'midjourney' },
  audio: { operations: ['speech', 'transcription', 'translation', 'realtime'], platform: 'suno' },
  video: { operations: [], platform: 'ali' },
};

function has(provider: Provider, operation: Operation): boolean {
  const adapters: Readonly<Partial<Record<Operation, unknown>>> = provider.operations;
  return adapters[operation] !== undefined;
}

/** Gemini's conversations draw, speak and listen, and so do models that write text besides. */
function doesInChat(type: ModelType, provider: Provider, model: string): boolean {
  const { chat } = provider.operations;
  if (chat === undefined || (type !== 'image' && type !== 'audio')) return false;
  const { writes = [] } = factsOf(bareModelName(model));
  return (
    writes.includes('text') ||
    chat.passThrough?.some(({ format }) => format === 'gemini-generate') === true
  );
}

/** The name that is sent, and what that model is for. */
function usedAs({ modelMapping }: Server, model: string, given: GivenTypes | undefined) {
  const sent = modelMapping[model] ?? model;
  return { sent, type: given?.get(model) ?? typeOfModel(sent) };
}

/** Whether a channel's provider has an adapter for what the model is for. */
export function canServeModel(channel: Server, model: string, given?: GivenTypes): boolean {
  return canCallModel(channel, model, given) || canOrderTasks(channel, model, given);
}

function canCallModel(channel: Server, model: string, given: GivenTypes | undefined): boolean {
  const { provider } = channel;
  const { sent, type } = usedAs(channel, model, given);
  return (
    needs[type].operations.some((operation) => has(provider, operation)) ||
    doesInChat(type, provider, sent)
  );
}

function canOrderTasks(channel: Server, model: string, given: GivenTypes | undefined): boolean {
  const { platform } = needs[usedAs(channel, model, given).type];
  return platform !== undefined && channel.provider.tasks?.platform === platform;
}

/** The playground in which a model of this channel answers. */
function playgroundOf(
  channel: Server,
  model: string,
  given: GivenTypes | undefined,
): PlaygroundKind | undefined {
  const { sent, type } = usedAs(channel, model, given);
  if (type === 'chat') return has(channel.provider, 'chat') && converses(sent) ? 'chat' : undefined;
  if (type === 'image') return has(channel.provider, 'image') ? 'image' : undefined;
  return type === 'video' ? 'video' : undefined;
}

function editsImages(channel: Server, model: string, given: GivenTypes | undefined): boolean {
  return usedAs(channel, model, given).type === 'image' && has(channel.provider, 'image-edit');
}

/** Each model that some channel can serve. */
export function servedModels(
  channels: Iterable<GroupServer>,
  given?: GivenTypes,
): ReadonlyMap<string, ServedModel> {
  const served = new Map<
    string,
    { -readonly [Name in keyof ServedModel]: ServedModel[Name] } & { readonly groups: Set<string> }
  >();
  for (const channel of channels)
    for (const model of channel.models) {
      if (!canServeModel(channel, model, given)) continue;
      const known = served.get(model) ?? {
        groups: new Set<string>(),
        playground: undefined,
        editsImages: false,
        isTask: true,
      };
      for (const group of channel.groups) known.groups.add(group);
      known.playground ??= playgroundOf(channel, model, given);
      known.editsImages ||= editsImages(channel, model, given);
      known.isTask &&= !canCallModel(channel, model, given);
      served.set(model, known);
    }
  return served;
}
