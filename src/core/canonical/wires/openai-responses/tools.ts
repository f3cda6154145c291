/**
 * Tools of the Responses wire and the functions that stand for them elsewhere
 * (docs/rules/formats.md#namespaces-and-free-text): a namespace goes into its functions' names, a
 * tool that takes free text becomes a function with one text, `input`. Tools that OpenAI defines and
 * clients carry out are functions of their name.
 */

import { isObject, type JsonObject, type JsonValue, parseObject } from '../../../kernel/json.ts';
import type { ChatRequest, FunctionTool, HostedTool, Tool, ToolSource } from '../../chat.ts';
import { compact, recordOf } from '../../kit/read-json.ts';
import { strictFor } from '../openai/strict.ts';

const origin = 'openai-responses';

/**
 * Name of the function that stands for a tool. Found again in the request's tools, never taken
 * apart.
 */
export function functionName(name: string, namespace: string | undefined): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}__${name}`;
}

/** Tools that were written in this wire, by their function's name. */
export function toolSources(request: ChatRequest | undefined): ReadonlyMap<string, ToolSource> {
  const sources = new Map<string, ToolSource>();
  for (const tool of request?.tools ?? [])
    if (tool.type === 'function' && tool.source?.origin === origin)
      sources.set(tool.name, tool.source);
  return sources;
}

/** Schema of the function that stands for a free-text tool. */
export const freeformParameters: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

export function freeformArguments(input: string): string {
  return JSON.stringify({ input });
}

/** The text in a call's arguments; models that forget the JSON around it mean the same. */
export function freeformInput(text: string): string {
  const value = parseObject(text)?.input;
  return typeof value === 'string' ? value : text;
}

/** Chat nests the place, Responses does not. */
function writeLocation(location: unknown): JsonValue | undefined {
  if (!isObject(location)) return undefined;
  return { type: 'approximate', ...(recordOf(location.approximate) ?? location) } as JsonObject;
}

function writeWebSearch(options: JsonObject): JsonObject {
  const domains = options.allowed_domains;
  return compact({
    type: 'web_search',
    search_context_size: options.search_context_size,
    user_location: writeLocation(options.user_location),
    filters: domains === undefined ? undefined : { allowed_domains: domains },
  });
}

function writeFunction(tool: FunctionTool, request: ChatRequest): JsonObject {
  const { name, description, parameters = { type: 'object', properties: {} } } = tool;
  // Strict is the default here and nowhere else.
  return compact({
    type: 'function',
    name,
    description,
    parameters,
    strict: strictFor(tool, request) ?? false,
  });
}

/**
 * Tools as this wire has them: its own as they came, each namespace once; what only others know is
 * left out.
 */
export function writeTools(request: ChatRequest): JsonValue[] {
  const written = new Set<JsonValue>();
  for (const tool of request.tools ?? []) {
    const raw = writeTool(tool, request);
    if (raw !== undefined) written.add(raw);
  }
  return [...written];
}

/** Whether a tool is in what {@link writeTools} writes. */
export function takesTool(tool: HostedTool): boolean {
  return tool.type === 'web-search' || (tool.type === 'foreign' && tool.origin === origin);
}

function writeTool(tool: Tool, request: ChatRequest): JsonValue | undefined {
  switch (tool.type) {
    case 'function':
      if (tool.source?.found === true) return undefined;
      return tool.source?.origin === origin ? tool.source.raw : writeFunction(tool, request);
    case 'foreign':
      return tool.origin === origin ? tool.raw : undefined;
    case 'web-search':
      return request.origin === origin ? tool.options : writeWebSearch(tool.options);
    default:
      return undefined;
  }
}

export function writeToolChoice(request: ChatRequest): JsonValue | undefined {
  const choice = request.toolChoice;
  if (choice?.type !== 'tool') return choice?.type;
  const source = toolSources(request).get(choice.name);
  if (source?.client !== undefined) return { type: source.client };
  const { name, namespace } = source ?? { name: choice.name, namespace: undefined };
  return compact({ type: source?.freeform === true ? 'custom' : 'function', name, namespace });
}
