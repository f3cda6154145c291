/**
 * What a model did in each turn of a conversation, read from a body of any format, so that an agent
 * that runs in circles is found (docs/rules/budgets.md#fences).
 */
import type { ModelTurn } from '../../budgets/fence.ts';
import type { BodyFields } from '../../canonical/pass-through.ts';
import { isObject, parseJson } from '../../kernel/json.ts';

/** Bytes of a conversation that are read: longer ones are taken as not repeating. */
const mostBytes = 16 * 1024 * 1024;

/** Under one of these names each format has its turns. */
const turnFields = ['messages', 'contents', 'input'] as const;

const modelRoles: ReadonlySet<unknown> = new Set(['assistant', 'model']);
/** Parts that name a call, by their type; Gemini's have none. */
const callTypes: ReadonlySet<unknown> = new Set([
  'tool_use',
  'server_tool_use',
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'tool_search_call',
  'computer_call',
  'mcp_call',
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

/** The texts of a value, without ids and marks for the cache beside them. */
function textOfValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return value === undefined ? '' : JSON.stringify(value);
  return value.map((part) => textOfPart(part) || JSON.stringify(part)).join('');
}

const partsOf = (turn: Fields): readonly unknown[] => {
  const content = turn['content'] ?? turn['parts'];
  return typeof content === 'string' ? [content] : listOf(content);
};

/** What a result has of its call, whatever its id. Undefined: it is none. */
function textOfResult(part: unknown): string | undefined {
  if (!isObject(part)) return undefined;
  if (isObject(part['functionResponse'])) return textOfValue(part['functionResponse']['response']);
  if (part['role'] === 'tool' || part['role'] === 'function') return textOfValue(part['content']);
  const type = String(part['type']);
  if (type === 'tool_result') return textOfValue(part['content']);
  return type.endsWith('_output') ? textOfValue(part['output']) : undefined;
}

/** Digits number the repetitions: the third attempt of ten. */
const withoutFigures = (text: string): string => text.replaceAll(/\d+/g, '0');

/** A turn while it is read. */
class OpenTurn {
  readonly calls: string[] = [];
  words = '';
  readonly results: string[] = [];
  said = '';
  /** Something came behind it. */
  isAnswered = false;

  /** What a model sends; calls in a message of their own stand beside its words. */
  add(item: Fields): void {
    const parts = partsOf(item);
    for (const call of [...listOf(item['tool_calls']), item['function_call']])
      if (isObject(call)) this.calls.push(textOfCall(call));
    for (const part of parts) {
      const call = callOf(part);
      if (call !== undefined) this.calls.push(call);
    }
    this.words = parts.map(textOfPart).join('').trim();
  }

  answer(item: Fields): void {
    this.isAnswered = true;
    const parts = partsOf(item);
    for (const part of item['role'] === 'user' || item['parts'] ? parts : [item]) {
      const result = textOfResult(part);
      if (result === undefined) this.said += textOfPart(part);
      else this.results.push(result);
    }
  }

  /** Undefined: the model did nothing. Calls count alone: an agent may say something else with them. */
  done(): ModelTurn | undefined {
    if (this.calls.length > 0)
      return { did: this.calls.join('\n'), calls: true, got: this.results.join('\n') };
    if (this.words === '') return undefined;
    return { did: this.words, calls: false, got: withoutFigures(this.said) };
  }
}

function itemsOf(body: BodyFields): readonly unknown[] {
  for (const name of turnFields) {
    const known = body.parsed?.(name);
    if (known !== undefined) return listOf(known);
    const bytes = body.bytesOf?.(name);
    if (bytes !== undefined)
      return bytes.length > mostBytes ? [] : listOf(parseJson(bytes.toString('utf8')));
  }
  return [];
}

/**
 * Oldest first. Calls of Responses, items of their own, are one turn until something else comes, and
 * so are the words before them, which an agent may change with each call.
 * Empty: the body has no conversation.
 */
export function modelTurns(body: BodyFields): readonly ModelTurn[] {
  const turns: ModelTurn[] = [];
  let open = new OpenTurn();
  const next = () => {
    const turn = open.done();
    if (turn !== undefined) turns.push(turn);
    open = new OpenTurn();
  };
  for (const item of itemsOf(body)) {
    if (!isObject(item) || item['type'] === 'reasoning') continue;
    const call = callOf(item);
    const isMessage = modelRoles.has(item['role']);
    if (call !== undefined && open.isAnswered) next();
    if (isMessage) next();
    if (call !== undefined) open.calls.push(call);
    else if (isMessage) open.add(item);
    else open.answer(item);
  }
  next();
  return turns;
}
