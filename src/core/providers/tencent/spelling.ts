/**
 * Hunyuan's wire is OpenAI's in another spelling: `FinishReason` for `finish_reason`
 * (docs/rules/providers.md#tencent-chat).
 */
import { isObject, type JsonValue } from '../../kernel/json.ts';

function respell(value: unknown, spell: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => respell(item, spell));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [spell(name), respell(item, spell)]));
}

/** `tool_call_id` → `ToolCallId`, throughout. */
export function toPascalCase(value: JsonValue): JsonValue {
  const spell = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return respell(value, spell) as JsonValue;
}

/** `ToolCallId` → `tool_call_id`, throughout. */
export function toSnakeCase(value: unknown): unknown {
  return respell(value, (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase());
}
