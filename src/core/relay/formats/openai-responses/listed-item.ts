/** Items as OpenAI lists them, each with an id. */
import { textOf } from '../../../canonical/kit/read-json.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import type { NamedItem } from '../shared/conversation-state.ts';

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
  shell_call: 'sh',
  shell_call_output: 'sho',
  apply_patch_call: 'apc',
  apply_patch_call_output: 'apco',
  tool_search_call: 'tsc',
  tool_search_output: 'tso',
};

/** The item as OpenAI lists it. `tail`: of its id where it has none. */
export function listedItem(item: JsonValue, tail: string): NamedItem {
  const given: JsonObject = isObject(item) ? (item as JsonObject) : {};
  const type = textOf(given['type']) ?? 'message';
  const id = textOf(given['id']) ?? `${prefixes[type] ?? 'item'}_${tail}`;
  if (type !== 'message') return { ...given, id, type };
  const { content = [], role = 'user' } = given;
  const kind = role === 'assistant' ? 'output_text' : 'input_text';
  const parts = typeof content === 'string' ? [{ type: kind, text: content }] : content;
  return { status: 'completed', ...given, id, type, role, content: parts };
}
