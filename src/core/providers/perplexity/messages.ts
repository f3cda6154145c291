/**
 * OpenAI's messages → text and images in turns, as Perplexity demands them
 * (docs/rules/providers.md#perplexity).
 */

import { recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';

type Role = 'system' | 'user' | 'assistant';

interface Turn {
  readonly role: Role;
  readonly content: string | readonly JsonValue[];
}

function isEmpty({ content }: Turn): boolean {
  return content.length === 0;
}

/** Tool results become user messages; calls are left out. */
function readTurn(message: Readonly<Record<string, unknown>>): Turn {
  const role = message.role === 'system' || message.role === 'assistant' ? message.role : 'user';
  const { content } = message;
  return {
    role,
    content: Array.isArray(content) ? (content as JsonValue[]) : (textOf(content) ?? ''),
  };
}

function partsOf({ content }: Turn): readonly JsonValue[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Merges the content of adjacent messages of one role: texts as text, anything else as parts. */
function join(turns: readonly Turn[]): Turn['content'] {
  const texts = turns.flatMap(({ content }) => (typeof content === 'string' ? [content] : []));
  return texts.length === turns.length ? texts.join('\n\n') : turns.flatMap(partsOf);
}

/**
 * System messages first, then user and assistant in turns, the user first: neighbours of one role
 * become one message.
 */
export function alternateMessages(messages: JsonValue | undefined): JsonObject[] {
  const given = recordsOf(messages)
    .map(readTurn)
    .filter((turn) => !isEmpty(turn));
  const runs: Turn[][] = [];
  for (const turn of given.filter(({ role }) => role !== 'system')) {
    const last = runs.at(-1);
    if (last?.[0]?.role === turn.role) last.push(turn);
    else runs.push([turn]);
  }
  const turns = runs.flatMap((run) =>
    run.slice(0, 1).map(({ role }): Turn => ({ role, content: join(run) })),
  );
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: '...' });
  return [...given.filter(({ role }) => role === 'system'), ...turns].map(({ role, content }) => ({
    role,
    content,
  }));
}
