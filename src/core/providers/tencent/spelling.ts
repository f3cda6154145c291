/**
 * Hunyuan's wire is OpenAI's in another spelling: `FinishReason` for `finish_reason`
 * (docs/rules/providers.md#tencent-chat).
 */
import { isObject, type JsonValue } from '../../kernel/json.ts';

function renameKeys(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [rename(name), renameKeys(item, rename)]),
  );
}

/** `tool_call_id` → `ToolCallId`, throughout. */
export function toPascalCase(value: JsonValue): JsonValue {
  const rename = (name: string) =>
    name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return renameKeys(value, rename) as JsonValue;
}

/** `ToolCallId` → `tool_call_id`, throughout. */
export function toSnakeCase(value: unknown): unknown {
  return renameKeys(value, (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase());
}
