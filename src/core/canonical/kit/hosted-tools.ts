/**
 * How often a vendor ran its own tools for a reply (docs/rules/pricing.md#tool-prices). What the
 * vendor counts goes before what the output shows.
 */
import { imageOutputTokens } from '../../models/image-output.ts';
import { bareModelName, factsOf } from '../../models/known-models.ts';
import type { Usage } from '../usage.ts';
import { containersOf } from './containers.ts';
import { countOf, type Loose, listOf, recordOf, recordsOf, textOf } from './read-json.ts';
import {
  toolCalls,
  usageFromOpenAi,
  withCacheMiss,
  withDroppedThinking,
  withTier,
} from './usage.ts';

const transformations = 'input_transformations';

/** Types of output items of which calls are counted. */
const countedItems = [
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'shell_call',
] as const;

/** A whole Responses object, or its top-level fields found without a parse. */
interface ResponseFields {
  get(name: string): unknown;
  /** Absent: everything is parsed already. */
  contains?(text: string): boolean;
}

/** The usage of a Responses reply: tokens, tier and calls of hosted tools. */
export function usageOfResponse(response: Loose | undefined): Usage | undefined {
  return response && usageOfResponseFields(response.usage, { get: (name) => response[name] });
}

/** The same of a reply of which only single fields are parsed. */
export function usageOfResponseFields(
  raw: unknown,
  fields: ResponseFields | undefined,
): Usage | undefined {
  const usage = usageFromOpenAi(raw);
  if (usage === undefined || fields === undefined) return usage;
  const items = countedItemsIn(fields);
  const withCalls = withToolCalls(usage, usage.toolCalls ?? callsIn(fields, items));
  const others = imagesIn(fields);
  const containers = containersOf(items, () => recordsOf(listOf(fields.get('tools'))));
  const tiered = withTier(
    others === undefined && containers === undefined
      ? withCalls
      : { ...withCalls, ...(others && { others }), ...(containers && { containers }) },
    fields.get('service_tier'),
  );
  const diagnosed = withCacheMiss(tiered, fields.get('prompt_cache_diagnostics'));
  const mayTransform = fields.contains?.(transformations) !== false;
  return mayTransform ? withDroppedThinking(diagnosed, fields.get(transformations)) : diagnosed;
}

const imageItem = 'image_generation_call';

/**
 * Images that the reply's own tool made, by another model: its tokens are not among the others.
 * Gateways between that leave out what OpenAI counts leave the items, with their quality and size.
 */
function imagesIn(fields: ResponseFields): Usage['others'] {
  const counted = recordOf(fields.get('tool_usage'));
  const usage = counted === undefined ? shownImages(fields) : usageFromOpenAi(counted.image_gen);
  if ((usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0) === 0) return undefined;
  const tool = recordsOf(listOf(fields.get('tools'))).find(
    (one) => one.type === 'image_generation',
  );
  const model =
    textOf(tool?.model) ?? factsOf(bareModelName(textOf(fields.get('model')) ?? '')).imageModel;
  return usage === undefined || model === undefined ? undefined : [{ model, usage }];
}

function shownImages(fields: ResponseFields): Usage | undefined {
  if (fields.contains?.(imageItem) === false) return undefined;
  const made = recordsOf(listOf(fields.get('output'))).filter(
    ({ type, status, result }) =>
      type === imageItem && status !== 'failed' && (textOf(result) ?? '') !== '',
  );
  const completionTokens = made.reduce(
    (sum, { quality, size }) => sum + imageOutputTokens(textOf(quality), textOf(size)),
    0,
  );
  return completionTokens === 0 ? undefined : { promptTokens: 0, completionTokens };
}

/** The output, where it may hold such items. */
function countedItemsIn(fields: ResponseFields): readonly Loose[] {
  const { contains } = fields;
  const holdsItems =
    contains === undefined || countedItems.some((type) => contains.call(fields, type));
  return holdsItems ? recordsOf(listOf(fields.get('output'))) : [];
}

function callsIn(fields: ResponseFields, items: readonly Loose[]): Usage['toolCalls'] {
  const counted = countOf(recordOf(recordOf(fields.get('tool_usage'))?.web_search)?.num_requests);
  const searches = counted ?? items.filter(isSearch).length;
  const files = items.filter((item) => item.type === 'file_search_call').length;
  return toolCalls({
    ...(searches > 0 ? { [searchToolOf(fields)]: searches } : {}),
    ...(files > 0 ? { file_search: files } : {}),
  });
}

/** Pages that are opened, and texts found in them, are no searches. */
function isSearch(item: Loose): boolean {
  const action = textOf(recordOf(item.action)?.type);
  return item.type === 'web_search_call' && (action === undefined || action === 'search');
}

/** Output items of both kinds look alike; the reply repeats the tools of its request. */
function searchToolOf(fields: ResponseFields): 'web_search' | 'web_search_preview' {
  const isPreview = recordsOf(listOf(fields.get('tools'))).some((tool) =>
    textOf(tool.type)?.startsWith('web_search_preview'),
  );
  return isPreview ? 'web_search_preview' : 'web_search';
}

/**
 * What grounding cost in Gemini's candidates. Queries and grounded requests are both counted: each
 * model has a price for one of them.
 */
export function groundingCalls(candidates: readonly Loose[]): Usage['toolCalls'] {
  let queries = 0;
  let searched = 0;
  let mapped = 0;
  for (const candidate of candidates) {
    const grounding = recordOf(candidate.groundingMetadata);
    if (grounding === undefined) continue;
    const found = listOf(grounding.webSearchQueries).length;
    queries += found;
    if (found > 0) searched = 1;
    if (recordsOf(listOf(grounding.groundingChunks)).some((chunk) => chunk.maps !== undefined))
      mapped = 1;
  }
  if (searched + mapped === 0) return undefined;
  return toolCalls({
    ...(searched > 0 ? { search_query: queries, grounded_request: searched } : {}),
    ...(mapped > 0 ? { maps_request: mapped } : {}),
  });
}

/** Usage with the calls of hosted tools, where there are any. */
export function withToolCalls(
  usage: Usage | undefined,
  calls: Usage['toolCalls'],
): Usage | undefined {
  return calls === undefined ? usage : { ...usage, toolCalls: calls };
}
