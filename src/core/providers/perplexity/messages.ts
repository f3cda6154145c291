/** OpenAI's messages → text and pictures in turns, as Perplexity demands them (spec, providers-international 3.20). */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { recordsOf, textOf } from '../kit/read-json.ts';

type Role = 'system' | 'user' | 'assistant';

interface Turn {
  readonly role: Role;
  readonly content: string | readonly JsonValue[];
}

function isEmpty({ content }: Turn): boolean {
  return content.length === 0;
}

/** What tools answered is told by the user; calls are left out. */
function readTurn(message: Readonly<Record<string, unknown>>): Turn {
  const role = message.role === 'system' || message.role === 'assistant' ? message.role : 'user';
  const { content } = message;
  return { role, content: Array.isArray(content) ? (content as JsonValue[]) : (textOf(content) ?? '') };
}

function partsOf({ content }: Turn): readonly JsonValue[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function join(first: Turn, second: Turn): Turn {
  if (typeof first.content === 'string' && typeof second.content === 'string')
    return { ...first, content: `${first.content}\n\n${second.content}` };
  return { ...first, content: [...partsOf(first), ...partsOf(second)] };
}

/** System messages first, then user and assistant in turns, the user first: neighbours of one role become one message. */
export function alternateMessages(messages: JsonValue | undefined): JsonObject[] {
  const given = recordsOf(messages)
    .map(readTurn)
    .filter((turn) => !isEmpty(turn));
  const turns: Turn[] = [];
  for (const turn of given.filter(({ role }) => role !== 'system')) {
    const last = turns.at(-1);
    if (last?.role === turn.role) turns[turns.length - 1] = join(last, turn);
    else turns.push(turn);
  }
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: '...' });
  return [...given.filter(({ role }) => role === 'system'), ...turns].map(({ role, content }) => ({ role, content }));
}
