/**
 * What Claude's newer models refuse, requested in words instead
 * (docs/rules/providers.md#unmet-wishes): a call that must be made, an answer that goes on from its
 * beginning.
 */
import { mapChanged } from '../../canonical/kit/map-changed.ts';
import { listOf, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import type { BodyFields } from '../../canonical/pass-through.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { takesForcedTools, takesPrefill } from './model-rules.ts';

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
}

/** As far as it matters whether it is to go on. */
interface AnyTurn {
  readonly role: string;
  readonly content: readonly { readonly type?: unknown }[];
}

const note = (text: string): JsonObject => ({ type: 'text', text });

const goOn = note(
  'Continue your last message exactly where it stops, without repeating any of it.',
);

function callNote(name: string | undefined): JsonObject {
  return note(
    name === undefined
      ? 'Answer by calling one of your tools.'
      : `Answer by calling the tool \`${name}\`.`,
  );
}

/** Whether a turn is the beginning of an answer: not one that a tool of the vendor's interrupted. */
function isPrefill(turn: AnyTurn | undefined): boolean {
  if (turn?.role !== 'assistant') return false;
  return (
    turn.content.at(-1)?.type === 'text' &&
    !turn.content.some(({ type }) => type === 'server_tool_use')
  );
}

/** The turns with a user's turn after an answer that is to go on, for models that need one. */
export function withoutPrefill(turns: readonly Turn[], model: string): readonly Turn[] {
  return isPrefill(turns.at(-1)) && !takesPrefill(model)
    ? [...turns, { role: 'user', content: [goOn] }]
    : turns;
}

/** The turns with the wish at their end: there it leaves the cached part of the prompt as it was. */
export function withCallNote(turns: readonly Turn[], name: string | undefined): readonly Turn[] {
  const last = turns.at(-1);
  if (last?.role !== 'user') return turns;
  return [...turns.slice(0, -1), { ...last, content: [...last.content, callNote(name)] }];
}

/** A forced call as these models take it; undefined: the choice stays. */
export function offeredChoice(
  choice: JsonValue | undefined,
  model: string,
): JsonObject | undefined {
  if (!isObject(choice) || (choice.type !== 'any' && choice.type !== 'tool')) return undefined;
  if (takesForcedTools(model)) return undefined;
  const { name: _, ...kept } = choice as JsonObject;
  return { ...kept, type: 'auto' };
}

/**
 * Whether the last message may be an answer: its role is the last one that the text names. A parse
 * of a long conversation would cost more than all else that is done with it.
 */
function mayEndInAnswer(fields: BodyFields): boolean {
  if (fields.contains?.('"assistant"') === false) return false;
  const bytes = fields.bytesOf?.('messages');
  if (bytes === undefined) return true;
  const at = bytes.lastIndexOf('"role"');
  return at >= 0 && /^"role"\s*:\s*"assistant"/.test(bytes.toString('latin1', at, at + 64));
}

/**
 * The messages of a messages caller with a turn that asks to go on, where they end with the
 * beginning of an answer and the model needs one; undefined: they stay.
 */
export function withRequestToGoOn(
  fields: BodyFields,
  edited: JsonValue | undefined,
  model: string,
): JsonValue | undefined {
  if (takesPrefill(model) || !mayEndInAnswer(fields)) return undefined;
  const messages = listOf(edited ?? fields.get('messages'));
  const last = recordOf(messages.at(-1));
  const content =
    typeof last?.content === 'string' ? [note(last.content)] : recordsOf(last?.content);
  if (last?.role !== 'assistant' || !isPrefill({ role: 'assistant', content })) return undefined;
  return [...messages, { role: 'user', content: [goOn] }] as JsonValue[];
}

/** The last turn of a messages caller with the wish at its end; undefined where there is none. */
export function noteInMessages(
  messages: JsonValue | undefined,
  choice: JsonValue | undefined,
): JsonValue | undefined {
  const turns = listOf(messages);
  const last = recordOf(turns.at(-1));
  if (last?.role !== 'user') return undefined;
  const blocks = typeof last.content === 'string' ? [note(last.content)] : recordsOf(last.content);
  const content = [...blocks, callNote(textOf(recordOf(choice)?.name))] as JsonValue[];
  return mapChanged(messages, (turn) =>
    turn === turns.at(-1) ? ({ ...last, content } as JsonObject) : turn,
  );
}
