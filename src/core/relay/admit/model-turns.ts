/**
 * What a model did in each turn of a conversation, read from a body of any format, so that an agent
 * that runs in circles is found (docs/rules/budgets.md#fences).
 */
import type { BodyFields } from '../../canonical/provider.ts';
import { isObject, parseJson } from '../../kernel/json.ts';

/** Bytes of a conversation that are read: longer ones are taken as not repeating. */
const mostBytes = 16 * 1024 * 1024;

/** Under one of these names each format has its turns. */
const turnFields = ['messages', 'contents', 'input'] as const;

const modelRoles: ReadonlySet<unknown> = new Set(['assistant', 'model']);
/** Parts that name a call, by their type; Gemini's have none. */
const callTypes: ReadonlySet<unknown> = new Set([
  ...['tool_use', 'server_tool_use', 'function_call', 'custom_tool_call', 'local_shell_call'],
  ...['shell_call', 'apply_patch_call', 'tool_search_call', 'computer_call', 'mcp_call'],
]);

type Fields = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const argumentFields = ['arguments', 'input', 'args', 'action', 'operation'] as const;

/** The same text for the same call, whatever its id. Arguments as text may be spaced differently. */
function textOfCall(call: Fields): string {
  const called = isObject(call['function']) ? call['function'] : call;
  const given = argumentFields.map((name) => called[name]).find((value) => value !== undefined);
  const read = typeof given === 'string' ? (parseJson(given) ?? given) : given;
  return `${String(called['name'] ?? call['type'])} ${JSON.stringify(read)}`;
}

function callOf(part: unknown): string | undefined {
  if (!isObject(part)) return undefined;
  if (isObject(part['functionCall'])) return textOfCall(part['functionCall']);
  return callTypes.has(part['type']) ? textOfCall(part) : undefined;
}

function textOfPart(part: unknown): string {
  if (typeof part === 'string') return part;
  const text = isObject(part) ? part['text'] : undefined;
  return typeof text === 'string' ? text : '';
}

/** Calls if there are some, because an agent may say something else with the same call. */
function textOfTurn(turn: Fields): string {
  const content = turn['content'] ?? turn['parts'];
  const parts = typeof content === 'string' ? [content] : listOf(content);
  const calls = [
    ...listOf(turn['tool_calls']).flatMap((call) => (isObject(call) ? textOfCall(call) : [])),
    ...parts.flatMap((part) => callOf(part) ?? []),
  ];
  return calls.length > 0 ? calls.join('\n') : `said ${parts.map(textOfPart).join('').trim()}`;
}

/**
 * Oldest first. Calls of Responses, items of their own, are one turn until something else comes, and
 * so are the words before them, which an agent may change with each call.
 * Empty: the body has no conversation.
 */
export function modelTurns(body: BodyFields): readonly string[] {
  const bytes = turnFields.map((name) => body.bytesOf?.(name)).find((found) => found !== undefined);
  if (bytes === undefined || bytes.length > mostBytes) return [];
  const turns: string[] = [];
  let calls: string[] = [];
  let words = '';
  const endTurn = () => {
    const turn = calls.length > 0 ? calls.join('\n') : words;
    if (turn !== '') turns.push(turn);
    calls = [];
    words = '';
  };
  for (const item of listOf(parseJson(bytes.toString('utf8')))) {
    if (!isObject(item)) continue;
    const call = callOf(item);
    if (call !== undefined) {
      calls.push(call);
      continue;
    }
    if (item['type'] === 'reasoning') continue;
    endTurn();
    if (!modelRoles.has(item['role'])) continue;
    const turn = textOfTurn(item);
    if (turn !== 'said ') words = turn;
  }
  endTurn();
  return turns;
}
