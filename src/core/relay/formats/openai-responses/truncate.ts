/** `truncation: "auto"`: a conversation that is too long goes on without its oldest turns. */
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import type { BodyEdits, RequestBody } from '../../body/request-body.ts';
import { inputItems } from './state.ts';

/** Share of the conversation that is left out, at least. */
const leastCut = 1 / 3;

const sizeOf = (item: JsonValue) => JSON.stringify(item).length;
const roleOf = (item: JsonValue | undefined) =>
  isObject(item) ? (item as JsonObject).role : undefined;
const typeOf = (item: JsonValue | undefined): string => {
  const type = isObject(item) ? (item as JsonObject).type : undefined;
  return typeof type === 'string' ? type : 'message';
};

const isInstruction = (item: JsonValue) => ['system', 'developer'].includes(String(roleOf(item)));
const isResult = (item: JsonValue | undefined) => typeOf(item).endsWith('_output');

/** Where a turn of the user or, behind the last one, of the model begins. */
function beginsTurn(items: readonly JsonValue[], at: number): boolean {
  if (roleOf(items[at]) === 'user') return true;
  return isResult(items[at - 1]) && !isResult(items[at]);
}

/** The items from the first beginning of a turn that leaves out enough; the last one if none does. */
function withoutFirst(items: readonly JsonValue[]): readonly JsonValue[] {
  const enough = items.reduce<number>((sum, item) => sum + sizeOf(item), 0) * leastCut;
  let left = 0;
  let last = 0;
  for (const [at, item] of items.entries()) {
    if (at > 0 && beginsTurn(items, at)) last = at;
    if (last === at && left >= enough) break;
    left += sizeOf(item);
  }
  return items.slice(last);
}

/**
 * Edits that leave out the oldest turns, instructions never, nor the last question; undefined: the
 * caller wants a refusal, or nothing is left to be left out. Calls stay with their results.
 */
export function withoutOldest(body: RequestBody): BodyEdits | undefined {
  if (body.get('truncation') !== 'auto') return undefined;
  const given = inputItems(body.get('input'));
  const instructions = given.filter(isInstruction);
  const items = given.filter((item) => !isInstruction(item));
  const question = items.findLastIndex((item) => roleOf(item) === 'user');
  // Before the last question whole turns go, after it rounds of calls.
  const kept =
    question > 0
      ? withoutFirst(items.slice(0, question + 1)).concat(items.slice(question + 1))
      : [...items.slice(0, 1), ...withoutFirst(items.slice(1))];
  return kept.length === items.length ? undefined : { input: [...instructions, ...kept] };
}
