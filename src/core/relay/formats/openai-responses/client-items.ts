/**
 * Calls and results of the tools that clients carry out, in the input of a Responses body
 * (docs/rules/formats.md#client-tools).
 */
import type { ClientTool, ToolCallPart, ToolMessage } from '../../../canonical/chat.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { Fields } from '../shared/fields.ts';
import { clientToolForm } from './client-tools.ts';
import { readFoundNames } from './tools.ts';

/** Ids mean something only to the upstream that made the item. */
function withoutId({ id: _, ...item }: JsonObject): JsonObject {
  return item;
}

/** Undefined: the vendor carried it out itself. */
export function readClientCall(item: Fields, tool: ClientTool): ToolCallPart | undefined {
  const given = clientToolForm(tool).given(item.value);
  if (given === undefined) return undefined;
  return {
    type: 'tool-call',
    id: item.text('call_id') ?? item.requiredText('id'),
    name: tool,
    arguments: JSON.stringify(given),
    raw: withoutId(item.value),
  };
}

/** Undefined: it belongs to no call of a client. */
export function readClientResult(item: Fields, tool: ClientTool): ToolMessage | undefined {
  const callId = item.text('call_id') ?? item.text('id');
  if (callId === undefined) return undefined;
  const text = tool === 'tool_search' ? foundTools(item) : clientToolForm(tool).result(item.value);
  return {
    role: 'tool',
    callId,
    name: tool,
    content: text === '' ? [] : [{ type: 'text', text }],
    isError: item.raw('status') === 'failed' ? true : undefined,
    raw: withoutId(item.value),
  };
}

/** What a search found, under the names by which it is called. */
function foundTools(item: Fields): string {
  const lines = readFoundNames(item.objects('tools') ?? []);
  return lines.length === 0
    ? 'No tools were found.'
    : `These tools can be called now:\n${lines.join('\n')}`;
}
