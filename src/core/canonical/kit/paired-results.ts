/**
 * Calls and results as every upstream takes them (docs/rules/formats.md#turns): each call has an id
 * of its own, and its result follows the turn that made it.
 */
import type { JsonObject } from '../../kernel/json.ts';
import type { AssistantMessage, ChatMessage, ChatRequest, ToolMessage } from '../chat.ts';
import { append } from './append.ts';

interface Turn {
  readonly message: AssistantMessage;
  readonly results: ToolMessage[];
}

/** Calls of one turn with the same id of the caller: their own ids, in their order. */
interface OpenCalls {
  readonly turn: Turn;
  readonly ids: string[];
}

function renamed<P extends { readonly raw?: JsonObject }>(part: P, id: string): P {
  return part.raw?.['call_id'] === undefined
    ? part
    : { ...part, raw: { ...part.raw, call_id: id } };
}

class Pairing {
  readonly #written: (ChatMessage | Turn)[] = [];
  /** As vendors tell ids apart that take the fewest characters. */
  readonly #taken = new Set<string>();
  readonly #open = new Map<string, OpenCalls>();
  /** Something differs from what was given. */
  changed = false;

  add(message: ChatMessage): void {
    if (message.role === 'assistant') this.#addTurn(message);
    else if (message.role === 'tool') this.#addResult(message);
    else this.#written.push(message);
  }

  #ownId(id: string): string {
    let own = id;
    const plain = () => own.replace(/[^a-zA-Z0-9_-]/g, '_');
    for (let number = 2; this.#taken.has(plain()); number++) own = `${id}_${number}`;
    this.#taken.add(plain());
    return own;
  }

  #addTurn(given: AssistantMessage): void {
    const results: ToolMessage[] = [];
    const ids: [string, string][] = [];
    let hasChanged = false;
    const content = given.content.map((part) => {
      if (part.type !== 'tool-call') return part;
      const id = this.#ownId(part.id);
      ids.push([part.id, id]);
      if (id === part.id) return part;
      hasChanged = true;
      return renamed({ ...part, id }, id);
    });
    this.changed ||= hasChanged;
    const turn = { message: hasChanged ? { ...given, content } : given, results };
    for (const [id, own] of ids) {
      const open = this.#open.get(id);
      if (open?.turn === turn) open.ids.push(own);
      else this.#open.set(id, { turn, ids: [own] });
    }
    this.#written.push(turn);
  }

  /** One that belongs to no call is what the user says. */
  #addResult(given: ToolMessage): void {
    const open = this.#open.get(given.callId);
    const id = open?.ids.shift();
    if (open === undefined || id === undefined) {
      this.changed = true;
      const { isError, content } = given;
      const error = isError === true ? [{ type: 'text', text: 'Error:' } as const] : [];
      if (content.length > 0) this.#written.push({ role: 'user', content: [...error, ...content] });
      return;
    }
    this.changed ||= id !== given.callId || this.#written.at(-1) !== open.turn;
    open.turn.results.push(id === given.callId ? given : renamed({ ...given, callId: id }, id));
  }

  messages(): ChatMessage[] {
    const messages: ChatMessage[] = [];
    for (const one of this.#written) {
      if ('role' in one) messages.push(one);
      else append(messages, [one.message, ...one.results]);
    }
    return messages;
  }
}

/** The request with calls and results paired; the same object where they are. */
export function pairResults(request: ChatRequest): ChatRequest {
  const pairing = new Pairing();
  for (const message of request.messages) pairing.add(message);
  return pairing.changed ? { ...request, messages: pairing.messages() } : request;
}
