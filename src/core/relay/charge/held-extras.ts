/**
 * What a request asks for besides tokens, as far as its model has prices for it
 * (docs/rules/metering.md#held-extras).
 */
import { containerSize } from '../../canonical/kit/containers.ts';
import { type Loose, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import { tiersOf } from '../../canonical/kit/usage.ts';
import { compare, one } from '../../kernel/decimal.ts';
import { isObject } from '../../kernel/json.ts';
import { imageOutputTokens } from '../../models/image-output.ts';
import { bareModelName, factsOf } from '../../models/known-models.ts';
import type { PriceDetails } from '../../pricing/details.ts';
import type { MostTokens } from '../../pricing/estimate.ts';
import type { RequestBody } from '../body/request-body.ts';
import { leastMinutes, minutesOf } from '../container-time.ts';
import type { CallerContext } from '../context.ts';

export interface HeldExtras extends Pick<MostTokens, 'tiers' | 'toolCalls' | 'caching'> {
  /** One that a tool of the vendor may make: whose price it has, and its tokens at most. */
  readonly image?: { readonly model: string; readonly tokens: number } | undefined;
  /** It declares a tool beside which its model's containers cost nothing. */
  readonly freesContainers?: boolean;
}

/** `details`: those of the requested model's price. */
export function heldExtras(
  context: Pick<CallerContext, 'deps' | 'group'>,
  body: RequestBody,
  model: string,
  details: PriceDetails,
): HeldExtras {
  const tools = details.tools.size === 0 ? [] : toolsIn(body);
  return {
    tiers: details.factors.size === 0 ? undefined : heldTiers(context, body, model, details),
    toolCalls:
      details.tools.size === 0 ? undefined : (heldCalls(body, tools) ?? details.alwaysCalled),
    caching: heldCaching(body, model),
    image: heldImage(tools, model),
    freesContainers: freesContainers(tools, model),
  };
}

/** The image of a declared tool, in its quality and size; what it leaves out is the model's choice. */
function heldImage(tools: readonly Loose[], model: string): HeldExtras['image'] {
  const tool = tools.find(({ type }) => type === imageTool);
  const maker = textOf(tool?.model) ?? factsOf(bareModelName(model)).imageModel;
  return tool === undefined || maker === undefined
    ? undefined
    : { model: maker, tokens: imageOutputTokens(textOf(tool.quality), textOf(tool.size)) };
}

const imageTool = 'image_generation';

function freesContainers(tools: readonly Loose[], model: string): boolean {
  const { containersFreeWith = [] } = factsOf(bareModelName(model));
  return containersFreeWith.some((version) =>
    tools.some(({ type }) => isSince(version, textOf(type))),
  );
}

/** `web_search_20260318` is a later version of `web_search_20260209`. */
function isSince(version: string, type: string | undefined): boolean {
  return type?.startsWith(version.replace(/\d+$/, '')) === true && type >= version;
}

/** Fields that name a tier, a speed or a place. */
const tierFields = ['service_tier', 'serviceTier', 'speed', 'inference_geo'] as const;

/**
 * The tiers that the request names and at least one of its channels lets through; of those that are
 * cheaper, the ones that all let through: any of them may serve.
 */
function heldTiers(
  { deps, group }: Pick<CallerContext, 'deps' | 'group'>,
  body: RequestBody,
  model: string,
  { factors }: PriceDetails,
): readonly string[] | undefined {
  const named = tierFields.filter((field) => body.kind(field) === 'string');
  if (named.length === 0) return undefined;
  const channels = deps.routing.tiers(group, model).flatMap((tier) => tier.channels);
  const passed = named.filter((field) => {
    const passing = channels.filter(({ rules }) => !rules.strips.includes(field)).length;
    const factor = tiersOf(tierIn(body, field))?.map((tier) => factors.get(tier)?.factor)[0];
    const isCheaper = factor !== undefined && compare(factor, one) < 0;
    return isCheaper ? passing > 0 && passing === channels.length : passing > 0;
  });
  return tiersOf(...passed.map((field) => tierIn(body, field)));
}

/** What OpenAI takes as the tier `fast` it reports as `priority`; Anthropic's speed is another. */
function tierIn(body: RequestBody, field: string): unknown {
  const tier = body.get(field);
  return tier === 'fast' && field !== 'speed' ? 'priority' : tier;
}

/** Calls held for each search that a request declares. */
const heldSearches = 3;

/** Functions of Kimi that the vendor runs itself have such names. */
export function isBuiltin(name: string): boolean {
  return name.startsWith('$');
}

/** Tools that vendors run, by the beginning of their type, with the calls held for them. */
const hostedTools: readonly (readonly [type: string, calls: Readonly<Record<string, number>>])[] = [
  ['web_search_preview', { web_search_preview: heldSearches }],
  ['web_search', { web_search: heldSearches }],
  ['openrouter:web_search', { web_search: heldSearches }],
  ['x_search', { x_search: heldSearches }],
  ['file_search', { file_search: heldSearches }],
  ['code_interpreter', { code_interpreter: heldSearches }],
  ['googleSearch', { search_query: heldSearches, grounded_request: 1 }],
  ['google_search', { search_query: heldSearches, grounded_request: 1 }],
  ['googleMaps', { maps_request: 1 }],
  ['google_maps', { maps_request: 1 }],
];

/** Tools that run in a container of the vendor, by the beginning of their type. */
const containerTools = ['code_interpreter', 'shell', 'code_execution_'] as const;
/** A function that the vendor runs, and has a price by its name. */
const builtinType = 'builtin_function';

/** OpenAI's option of chats, Qwen's, and OpenRouter's plugin, are no tools. */
function hasSearch(body: RequestBody): boolean {
  if (body.has('web_search_options')) return true;
  if (body.kind('enable_search') === 'boolean' && body.get('enable_search') === true) return true;
  return (
    body.kind('plugins') === 'array' &&
    recordsOf(body.get('plugins')).some(({ id }) => id === 'web')
  );
}

/** Undefined: the request declares none. A caller's `max_tool_calls` bounds each. */
function heldCalls(
  body: RequestBody,
  tools: readonly Loose[],
): Readonly<Record<string, number>> | undefined {
  const declared = hasSearch(body) ? [{ type: 'web_search' }, ...tools] : tools;
  if (declared.length === 0) return undefined;
  const calls: Record<string, number> = {};
  for (const tool of declared)
    for (const name of [textOf(tool['type']), ...Object.keys(tool)]) {
      const found = hostedTools.find(([type]) => name?.startsWith(type) === true);
      Object.assign(calls, found?.[1]);
      const builtin =
        name === builtinType ? textOf(recordOf(tool['function'])?.['name']) : undefined;
      if (builtin !== undefined && isBuiltin(builtin)) calls[builtin] = 1;
    }
  const most = body.get('max_tool_calls');
  if (typeof most === 'number' && most >= 0)
    for (const [name, count] of Object.entries(calls)) calls[name] = Math.min(count, most);
  // One container of each kind, however often it is called.
  for (const tool of declared)
    if (containerTools.some((type) => textOf(tool['type'])?.startsWith(type) === true)) {
      const name = minutesOf(containerSize(tool));
      calls[name] = (calls[name] ?? 0) + leastMinutes;
    }
  return Object.keys(calls).length === 0 ? undefined : calls;
}

const hostedTypes = [
  ...hostedTools.map(([type]) => type),
  ...containerTools,
  imageTool,
  builtinType,
  // Costs nothing itself, and makes containers free.
  'web_fetch_',
];

/** Tools are parsed only where the body may hold one that a vendor runs. */
function toolsIn(body: RequestBody): readonly Loose[] {
  if (body.kind('tools') !== 'array') return [];
  const mayBeHosted = hostedTypes.some((type) => body.contains?.(`"${type}`) !== false);
  return mayBeHosted ? recordsOf(body.get('tools')) : [];
}

/** Since GPT-5.6 OpenAI writes to its cache without a request for it. */
function heldCaching(body: RequestBody, model: string): MostTokens['caching'] {
  const options =
    body.kind('prompt_cache_options') === 'object' && body.get('prompt_cache_options');
  if (isObject(options) && options['ttl'] === '12h') return '1h';
  const { caching } = body.media;
  if (caching !== 'none') return caching;
  return factsOf(bareModelName(model)).cacheLives?.[0] === '30m' ? '5m' : 'none';
}
