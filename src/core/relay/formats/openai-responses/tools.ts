/** Tools of a Responses body → canonical ones (docs/rules/formats.md#hosted-tools). */

import type { Tool, ToolChoice, ToolSource } from '../../../canonical/chat.ts';
import {
  freeformParameters,
  functionName,
} from '../../../canonical/wires/openai-responses/tools.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import type { Fields } from '../shared/fields.ts';

const origin = 'openai-responses';

function readFunction(tool: Fields, source: ToolSource): Tool {
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
function readCustom(tool: Fields, source: ToolSource): Tool {
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

/** Tools that are loaded by the provider's own tool search are useless without it. */
function readCallable(tool: Fields, raw: JsonObject, namespace?: string): Tool[] {
  const type = tool.text('type') ?? 'function';
  if (tool.raw('defer_loading') === true || (type !== 'function' && type !== 'custom')) return [];
  const source = { origin, raw, name: tool.requiredText('name'), namespace } as const;
  return [type === 'custom' ? readCustom(tool, source) : readFunction(tool, source)];
}

function readTool(tool: Fields): Tool[] {
  const raw = tool.value;
  const type = tool.text('type') ?? 'function';
  // A search in OpenAI's cache cannot be replaced by another provider's search, which is live and
  // charged.
  if (type.startsWith('web_search') && tool.raw('external_web_access') !== false)
    return [{ type: 'web-search', options: raw }];
  const callable =
    type === 'namespace'
      ? (tool.objects('tools') ?? []).flatMap((inner) =>
          readCallable(inner, raw, tool.requiredText('name')),
        )
      : readCallable(tool, raw);
  return callable.length > 0
    ? callable
    : [{ type: 'foreign', origin, raw, optional: optionalTypes.has(type) }];
}

/**
 * Agents declare these with every request: a search of OpenAI's cache, the search for tools, and
 * what is only found by it.
 */
const optionalTypes: ReadonlySet<string> = new Set([
  ...['web_search', 'web_search_preview', 'tool_search'],
  ...['function', 'custom', 'namespace'],
]);

/**
 * The tools of the body and those that items of the conversation add; undefined where there are
 * none.
 */
export function readTools(tools: readonly Fields[]): readonly Tool[] | undefined {
  return tools.length === 0 ? undefined : tools.flatMap(readTool);
}

/**
 * Hosted tools cannot be forced elsewhere, and a list of allowed ones restricts without forbidding:
 * both are `auto`.
 */
export function readToolChoice(fields: Fields): ToolChoice | undefined {
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
  return { type: type === 'allowed_tools' && mode === 'required' ? 'required' : 'auto' };
}
