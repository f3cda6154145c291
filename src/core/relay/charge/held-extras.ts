/**
 * What a request asks for besides tokens, as far as its model has prices for it
 * (docs/rules/metering.md#held-extras).
 */
import { recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import { tiersOf } from '../../canonical/kit/usage.ts';
import { isObject } from '../../kernel/json.ts';
import { bareModelName, factsOf } from '../../models/known-models.ts';
import type { PriceDetails } from '../../pricing/details.ts';
import type { MostTokens } from '../../pricing/estimate.ts';
import type { RequestBody } from '../body/request-body.ts';
import type { CallerContext } from '../context.ts';

export type HeldExtras = Pick<MostTokens, 'tiers' | 'toolCalls' | 'caching'>;

/** `details`: those of the requested model's price. */
export function heldExtras(
  context: Pick<CallerContext, 'deps' | 'group'>,
  body: RequestBody,
  model: string,
  details: PriceDetails,
): HeldExtras {
  return {
    tiers: details.factors.size === 0 ? undefined : heldTiers(context, body, model),
    toolCalls: details.tools.size === 0 ? undefined : (heldCalls(body) ?? details.alwaysCalled),
    caching: heldCaching(body, model),
  };
}

/** Fields that name a tier, a speed or a place. */
const tierFields = ['service_tier', 'serviceTier', 'speed', 'inference_geo'] as const;

/** The tiers that the request names and at least one of its channels lets through. */
function heldTiers(
  { deps, group }: Pick<CallerContext, 'deps' | 'group'>,
  body: RequestBody,
  model: string,
): readonly string[] | undefined {
  const named = tierFields.filter((field) => body.kind(field) === 'string');
  if (named.length === 0) return undefined;
  const channels = deps.routing.tiers(group, model).flatMap((tier) => tier.channels);
  const passed = named.filter((field) =>
    channels.some(({ rules }) => !rules.strips.includes(field)),
  );
  return tiersOf(...passed.map((field) => tierIn(body, field)));
}

/** What OpenAI takes as the tier `fast` it reports as `priority`; Anthropic's speed is another. */
function tierIn(body: RequestBody, field: string): unknown {
  const tier = body.get(field);
  return tier === 'fast' && field !== 'speed' ? 'priority' : tier;
}

/** Calls held for each search that a request declares; a container is paid for once. */
const heldSearches = 3;

/** Tools that vendors run, by the beginning of their type, with the calls held for them. */
const hostedTools: readonly (readonly [type: string, calls: Readonly<Record<string, number>>])[] = [
  ['web_search_preview', { web_search_preview: heldSearches }],
  ['web_search', { web_search: heldSearches }],
  ['x_search', { x_search: heldSearches }],
  ['file_search', { file_search: heldSearches }],
  ['code_interpreter', { container: 1, code_interpreter: heldSearches }],
  ['shell', { container: 1 }],
  ['googleSearch', { search_query: heldSearches, grounded_request: 1 }],
  ['google_search', { search_query: heldSearches, grounded_request: 1 }],
  ['googleMaps', { maps_request: 1 }],
  ['google_maps', { maps_request: 1 }],
];

/** Undefined: the request declares none. A caller's `max_tool_calls` bounds each. */
function heldCalls(body: RequestBody): Readonly<Record<string, number>> | undefined {
  const declared = body.has('web_search_options') ? [{ type: 'web_search' }] : toolsIn(body);
  if (declared.length === 0) return undefined;
  const calls: Record<string, number> = {};
  for (const tool of declared)
    for (const name of [textOf(tool['type']), ...Object.keys(tool)]) {
      const found = hostedTools.find(([type]) => name?.startsWith(type) === true);
      Object.assign(calls, found?.[1]);
    }
  const most = body.get('max_tool_calls');
  if (typeof most === 'number' && most >= 0)
    for (const [name, count] of Object.entries(calls)) calls[name] = Math.min(count, most);
  return Object.keys(calls).length === 0 ? undefined : calls;
}

/** Tools are parsed only where the body may hold one that a vendor runs. */
function toolsIn(body: RequestBody): readonly Record<string, unknown>[] {
  if (body.kind('tools') !== 'array') return [];
  const mayBeHosted = hostedTools.some(([type]) => body.contains?.(`"${type}`) !== false);
  return mayBeHosted ? recordsOf(body.get('tools')) : [];
}

/** Since GPT-5.6 OpenAI writes to its cache without being told to. */
function heldCaching(body: RequestBody, model: string): MostTokens['caching'] {
  const options =
    body.kind('prompt_cache_options') === 'object' && body.get('prompt_cache_options');
  if (isObject(options) && options['ttl'] === '12h') return '1h';
  const { caching } = body.media;
  if (caching !== 'none') return caching;
  return factsOf(bareModelName(model)).cacheLives?.[0] === '30m' ? '5m' : 'none';
}
