import type { StreamPart } from '../../canonical/chat-reply.ts';
import { countOf, type Loose, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import { argumentsToText, callIdFor } from '../../canonical/kit/tool-calls.ts';
import { readSignature } from './decode-chat.ts';

interface OpenCall {
  readonly id: string | undefined;
  /** Undefined until the name came; arguments wait in `held` so long. */
  number: number | undefined;
  held: string;
  /** Something of its arguments came. */
  isFilled: boolean;
}

/**
 * Numbers one choice's calls from 0 in order of appearance. A delta belongs to the call of its id,
 * else of its index, else to the last one. A new id, or no id and no index, that comes with a name
 * is a new call: some servers send every parallel call under index 0. A call that never gets a name
 * cannot be executed by anyone and does not count.
 */
export class ToolCallStream {
  readonly #replyId: string;
  /** The last call of each id, of each index, and of all. */
  readonly #byId = new Map<string, OpenCall>();
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #calls: OpenCall[] = [];
  #last: OpenCall | undefined;
  #count = 0;

  constructor(replyId: string) {
    this.#replyId = replyId;
  }

  get count(): number {
    return this.#count;
  }

  /** Numbers of the calls whose arguments were left out. */
  get empty(): readonly number[] {
    return this.#calls.flatMap(({ number, isFilled }) =>
      number === undefined || isFilled ? [] : [number],
    );
  }

  push(delta: Loose, parts: StreamPart[], choice: number): void {
    const target = recordOf(delta.function) ?? {};
    const name = textOf(target.name);
    const text =
      target.arguments === undefined || target.arguments === null
        ? ''
        : argumentsToText(target.arguments);
    const call = this.#find(countOf(delta.index), textOf(delta.id), name);
    call.isFilled ||= text.trim() !== '';
    if (call.number !== undefined) {
      if (text !== '')
        parts.push({ type: 'tool-call-delta', index: call.number, arguments: text, choice });
      return;
    }
    call.held += text;
    if (name === undefined) return;
    call.number = this.#count++;
    const id = call.id ?? textOf(delta.id) ?? callIdFor(this.#replyId, call.number);
    const signature = readSignature(delta);
    const part = {
      type: 'tool-call-delta',
      index: call.number,
      id,
      name,
      arguments: call.held,
      choice,
    } as const;
    parts.push(signature === undefined ? part : { ...part, signature });
  }

  #find(index: number | undefined, id: string | undefined, name: string | undefined): OpenCall {
    const known = this.#lookUp(index, id);
    if (known !== undefined) {
      const otherId = id !== undefined && known.id !== undefined && known.id !== id;
      const bare = id === undefined && index === undefined && known.number !== undefined;
      if (name === undefined || !(otherId || bare)) return known;
    }
    const call: OpenCall = { id, number: undefined, held: '', isFilled: false };
    this.#calls.push(call);
    if (id !== undefined) this.#byId.set(id, call);
    if (index !== undefined) this.#byIndex.set(index, call);
    this.#last = call;
    return call;
  }

  #lookUp(index: number | undefined, id: string | undefined): OpenCall | undefined {
    const same = id === undefined ? undefined : this.#byId.get(id);
    if (same !== undefined) return same;
    if (index !== undefined) return this.#byIndex.get(index);
    return id === undefined ? this.#last : undefined;
  }
}
