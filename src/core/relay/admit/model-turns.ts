/**
 * What a model did in each turn of a conversation, read from a body of any format, so that an agent
 * that runs in circles is found (docs/rules/budgets.md#fences).
 */
import { lastRepeats, type ModelTurn, repeatsOf } from '../../budgets/fence.ts';
import type { BodyFields } from '../../canonical/pass-through.ts';
import { isObject, parseJson } from '../../kernel/json.ts';
import { lastItems } from './last-items.ts';

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

function callOf(part: unknown): Fields | undefined {
  if (!isObject(part)) return undefined;
  if (isObject(part['functionCall'])) return part['functionCall'];
  return callTypes.has(part['type']) ? part : undefined;
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

/**
 * A turn while it is read, and then. Its texts are made where they are looked at: of a long
 * conversation these are the last turns alone.
 */
class OpenTurn implements ModelTurn {
  readonly #called: Fields[] = [];
  readonly #answers: Fields[] = [];
  #parts: readonly unknown[] = [];
  #did: string | undefined;
  #got: string | undefined;

  /** Something came behind it. */
  get isAnswered(): boolean {
    return this.#answers.length > 0;
  }

  get calls(): boolean {
    return this.#called.length > 0;
  }

  /** The model did nothing. */
  get isEmpty(): boolean {
    return !this.calls && this.did === '';
  }

  /** Calls count alone: an agent may say something else with them. */
  get did(): string {
    this.#did ??= this.calls
      ? this.#called.map(textOfCall).join('\n')
      : this.#parts.map(textOfPart).join('').trim();
    return this.#did;
  }

  get got(): string {
    this.#got ??= this.#readAnswers();
    return this.#got;
  }

  #readAnswers(): string {
    const results: string[] = [];
    let said = '';
    for (const item of this.#answers)
      for (const part of item['role'] === 'user' || item['parts'] ? partsOf(item) : [item]) {
        const result = textOfResult(part);
        if (result === undefined) said += textOfPart(part);
        else results.push(result);
      }
    return this.calls ? results.join('\n') : withoutFigures(said);
  }

  call(call: Fields): void {
    this.#called.push(call);
  }

  /** What a model sends; calls in a message of their own stand beside its words. */
  add(item: Fields): void {
    for (const call of [...listOf(item['tool_calls']), item['function_call']])
      if (isObject(call)) this.call(call);
    this.#parts = partsOf(item);
    for (const part of this.#parts) {
      const call = callOf(part);
      if (call !== undefined) this.call(call);
    }
  }

  answer(item: Fields): void {
    this.#answers.push(item);
  }
}

/** The turns of a conversation, parsed or not; undefined: the body has none. */
function itemsOf(body: BodyFields): readonly unknown[] | Buffer | undefined {
  for (const name of turnFields) {
    const known = body.parsed?.(name);
    if (known !== undefined) return listOf(known);
    const bytes = body.bytesOf?.(name);
    if (bytes !== undefined) return bytes.length > mostBytes ? undefined : bytes;
  }
  return undefined;
}

const parsedItems = (items: readonly unknown[] | Buffer | undefined): readonly unknown[] =>
  Buffer.isBuffer(items) ? listOf(parseJson(items.toString('utf8'))) : (items ?? []);

/**
 * Oldest first. Calls of Responses, items of their own, are one turn until something else comes, and
 * so are the words before them, which an agent may change with each call.
 * Empty: the body has no conversation.
 */
export const modelTurns = (body: BodyFields): readonly ModelTurn[] =>
  turnsOf(parsedItems(itemsOf(body)));

/** Items that are read of a longer conversation: some ten turns. */
const lastCount = 40;
/** Bytes from which on that is less work than all of it. */
const longBytes = 32 * 1024;

/**
 * How often its last turns repeat what came directly before them. Of a long conversation the end is
 * read, and all of it where it repeats that far back.
 */
export function repeatsIn(body: BodyFields): number {
  const items = itemsOf(body);
  const isLong = Buffer.isBuffer(items) && items.length > longBytes;
  const last = isLong ? lastItems(items, lastCount) : undefined;
  if (last !== undefined) {
    // The first of them may have begun before.
    const { count, isOpen } = lastRepeats(turnsOf(last).slice(1));
    if (!isOpen) return count;
  }
  return repeatsOf(turnsOf(parsedItems(items)));
}

function turnsOf(items: readonly unknown[]): readonly ModelTurn[] {
  const turns: ModelTurn[] = [];
  // Undefined: what comes before the model has done anything answers nothing.
  let open: OpenTurn | undefined;
  const next = (): OpenTurn => {
    if (open?.isEmpty === false) turns.push(open);
    return new OpenTurn();
  };
  for (const item of items) {
    if (!isObject(item) || item['type'] === 'reasoning') continue;
    const call = callOf(item);
    const isMessage = modelRoles.has(item['role']);
    if (isMessage || (call !== undefined && open?.isAnswered !== false)) open = next();
    if (call !== undefined) open?.call(call);
    else if (isMessage) open?.add(item);
    else open?.answer(item);
  }
  if (open?.isEmpty === false) turns.push(open);
  return turns;
}
