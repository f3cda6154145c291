/** Tools of a Responses body → canonical ones (docs/rules/formats.md#hosted-tools). */

import type {
  ClientTool,
  ForeignTool,
  FunctionTool,
  Tool,
  ToolChoice,
  ToolSource,
} from '../../../canonical/chat.ts';
import {
  freeformParameters,
  functionName,
} from '../../../canonical/wires/openai-responses/tools.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import type { Fields } from '../shared/fields.ts';
import { clientToolForm, isClientTool } from './client-tools.ts';

const origin = 'openai-responses';

function readFunction(tool: Fields, source: ToolSource): FunctionTool {
  return {
    type: 'function',
    name: functionName(source.name, source.namespace),
    description: tool.text('description'),
    parameters: tool.objectValue('parameters'),
    strict: tool.flag('strict'),
    source,
  };
}

/**
 * A tool that takes free text. Models of other providers read its grammar as part of the
 * description.
 */
function readCustom(tool: Fields, source: ToolSource): FunctionTool {
  const grammar = tool.object('format')?.text('definition');
  const rule = grammar === undefined ? [] : [`The input is text of this grammar:\n${grammar}`];
  const description = [tool.text('description') ?? '', ...rule]
    .filter((text) => text !== '')
    .join('\n\n');
  return {
    type: 'function',
    name: functionName(source.name, source.namespace),
    description: description === '' ? undefined : description,
    parameters: freeformParameters,
    source: { ...source, freeform: true },
  };
}

/** Names and descriptions of what a search of the client can find. */
function readFindable(tool: Fields): string[] {
  const type = tool.text('type') ?? 'function';
  const isGroup = type === 'namespace';
  const isFindable = isGroup
    ? (tool.objects('tools') ?? []).some(isDeferred)
    : isDeferred(tool) && callableTypes.has(type);
  if (!isFindable) return [];
  const description = tool.text('description');
  return [`- ${tool.requiredText('name')}${description === undefined ? '' : `: ${description}`}`];
}

function readClientTool(tool: Fields, client: ClientTool, findable: readonly string[]): Tool {
  const form = clientToolForm(client);
  const parts = [tool.text('description') ?? form.description];
  if (client === 'tool_search' && findable.length > 0)
    parts.push(`It knows:\n${findable.join('\n')}`);
  const skills = (tool.object('environment')?.objects('skills') ?? []).map(
    (skill) => `- ${skill.text('name')} (${skill.text('path')}): ${skill.text('description')}`,
  );
  if (skills.length > 0) parts.push(`Skills, each described in its folder:\n${skills.join('\n')}`);
  return {
    type: 'function',
    name: client,
    description: parts.join('\n\n'),
    parameters: tool.objectValue('parameters') ?? form.parameters,
    source: { origin, raw: tool.value, name: client, client },
  };
}

/** The tool, where a client carries it out: a shell of OpenAI's containers is another one. */
function clientToolOf(tool: Fields): ClientTool | undefined {
  const type = tool.text('type') ?? 'function';
  if (!isClientTool(type)) return undefined;
  const place = tool.object('environment')?.text('type') ?? 'local';
  const isElsewhere = type === 'tool_search' ? !searchesAtClient(tool) : place !== 'local';
  return isElsewhere ? undefined : type;
}

const searchesAtClient = (tool: Fields): boolean => tool.text('execution') === 'client';
const isDeferred = (tool: Fields): boolean => tool.raw('defer_loading') === true;
const callableTypes: ReadonlySet<string> = new Set(['function', 'custom']);

/** Which of the deferred tools go to the model at once, and what the others are. */
interface Deferral {
  readonly atOnce: boolean;
  readonly findable: readonly string[];
}

function readCallable(
  tool: Fields,
  raw: JsonObject,
  atOnce: boolean,
  namespace?: string,
): FunctionTool[] {
  const type = tool.text('type') ?? 'function';
  if ((isDeferred(tool) && !atOnce) || !callableTypes.has(type)) return [];
  const source = { origin, raw, name: tool.requiredText('name'), namespace } as const;
  return [type === 'custom' ? readCustom(tool, source) : readFunction(tool, source)];
}

function readCallables(tool: Fields, atOnce: boolean): FunctionTool[] {
  const raw = tool.value;
  if (tool.text('type') !== 'namespace') return readCallable(tool, raw, atOnce);
  const namespace = tool.requiredText('name');
  return (tool.objects('tools') ?? []).flatMap((inner) =>
    readCallable(inner, raw, atOnce, namespace),
  );
}

function readTool(tool: Fields, { atOnce, findable }: Deferral): Tool[] {
  const raw = tool.value;
  const type = tool.text('type') ?? 'function';
  // A search in OpenAI's cache cannot be replaced by another provider's search, which is live and
  // charged.
  if (type.startsWith('web_search') && tool.raw('external_web_access') !== false)
    return [{ type: 'web-search', options: raw }];
  const client = clientToolOf(tool);
  if (client !== undefined) return [readClientTool(tool, client, findable)];
  const callable = readCallables(tool, atOnce);
  const foreign: ForeignTool = { type: 'foreign', origin, raw, optional: optionalTypes.has(type) };
  return callable.length > 0 ? callable : [foreign];
}

/**
 * Agents declare these with every request: a search of OpenAI's cache, the search for tools, and
 * what is only found by it.
 */
const optionalTypes: ReadonlySet<string> = new Set([
  'web_search',
  'web_search_preview',
  'tool_search',
  'function',
  'custom',
  'namespace',
]);

/** Tools that a result of a search brought, but for those that are known. */
function readFound(results: readonly Fields[], known: readonly Tool[]): Tool[] {
  const names = new Set(known.map((tool) => (tool.type === 'function' ? tool.name : '')));
  const found = results.flatMap((tool) => readCallables(tool, true));
  return found.flatMap((tool) => {
    if (names.has(tool.name) || tool.source === undefined) return [];
    names.add(tool.name);
    return [{ ...tool, source: { ...tool.source, found: true } }];
  });
}

/** The tools in the result of a search, as the model reads of them. */
export function readFoundNames(results: readonly Fields[]): string[] {
  return results.flatMap((tool) => readCallables(tool, true)).map(({ name }) => `- ${name}`);
}

/**
 * The tools of the body and those that items of the conversation add; undefined where there are
 * none. `found`: those in results of a search. Where the vendor would search, all that are deferred
 * go to the model at once (docs/rules/formats.md#deferred-tools).
 */
export function readTools(
  tools: readonly Fields[],
  found: readonly Fields[] = [],
): readonly Tool[] | undefined {
  if (tools.length + found.length === 0) return undefined;
  const searches = tools.filter((tool) => tool.text('type') === 'tool_search');
  const atOnce = searches.length > 0 && !searches.some(searchesAtClient);
  const findable = atOnce ? [] : tools.flatMap(readFindable);
  const read = tools.flatMap((tool) => readTool(tool, { atOnce, findable }));
  return [...read, ...readFound(found, read)];
}

/**
 * Hosted tools cannot be forced elsewhere, and a list of allowed ones restricts without forbidding:
 * both are `auto`.
 */
export function readToolChoice(
  fields: Fields,
  tools: readonly Tool[] | undefined,
): ToolChoice | undefined {
  const choice = fields.raw('tool_choice');
  if (choice === undefined) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice };
  if (!isObject(choice)) return fields.fail('tool_choice is invalid');
  const { type, name, namespace, mode } = choice;
  if ((type === 'function' || type === 'custom') && typeof name === 'string')
    return {
      type: 'tool',
      name: functionName(name, typeof namespace === 'string' ? namespace : undefined),
    };
  const isClients = tools?.some((tool) => tool.type === 'function' && tool.source?.client === type);
  if (typeof type === 'string' && isClients === true) return { type: 'tool', name: type };
  return { type: type === 'allowed_tools' && mode === 'required' ? 'required' : 'auto' };
}
