/** Parallel calls of a stream, one after another (docs/rules/streams.md#parallel-calls). */
import type { StreamPart } from '../../../canonical/chat-reply.ts';
import type { ReplyContext, StreamEncoder } from './chat-translation.ts';

/**
 * Finds the end of a JSON object or array in text that comes in pieces, in time linear to its
 * length.
 */
export class ObjectScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #complete = false;

  /** The outermost bracket was closed. Only blanks can follow in valid JSON. */
  get complete(): boolean {
    return this.#complete;
  }

  add(text: string): void {
    for (let at = 0; at < text.length && !this.#complete; at++) this.#read(text[at]);
  }

  #read(character: string | undefined): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (character === '\\') this.#escaped = true;
      else if (character === '"') this.#inString = false;
    } else if (character === '"') this.#inString = true;
    else if (character === '{' || character === '[') this.#depth++;
    else if (character === '}' || character === ']') {
      this.#depth--;
      this.#complete = this.#depth <= 0;
    }
  }
}

type ToolCallDelta = Extract<StreamPart, { type: 'tool-call-delta' }>;

interface OpenCall {
  readonly index: number;
  readonly scanner: ObjectScanner;
}

/** Parts that belong to no place in the answer, and empty ones. */
function isOutsideContent(part: StreamPart): boolean {
  switch (part.type) {
    case 'start':
    case 'usage':
    case 'finish':
    case 'error':
      return true;
    case 'text-delta':
      return part.text === '' && part.signature === undefined;
    case 'reasoning-delta':
    case 'refusal-delta':
      return part.text === '';
    default:
      return false;
  }
}

/** The calls of one choice. What comes while a call is open and incomplete waits behind it. */
class ChoiceSequence {
  readonly #inTurn: boolean;
  readonly #closed = new Set<number>();
  #waiting: StreamPart[] = [];
  #open: OpenCall | undefined;

  constructor(inTurn: boolean) {
    this.#inTurn = inTurn;
  }

  /** Calls `write` with the parts that may be written now. */
  push(part: StreamPart, write: (part: StreamPart) => void): void {
    if (part.type === 'tool-call-delta' && part.index === this.#open?.index)
      return this.#continue(part, write);
    if (this.#open !== undefined) {
      if (!this.#inTurn && !this.#open.scanner.complete) {
        this.#waiting.push(part);
        return;
      }
      this.#closed.add(this.#open.index);
      this.#open = undefined;
    }
    if (part.type !== 'tool-call-delta') return write(part);
    // Only blanks can follow complete arguments.
    if (this.#closed.has(part.index)) return;
    this.#open = { index: part.index, scanner: new ObjectScanner() };
    this.#continue(part, write);
  }

  /** Writes what waits, however incomplete the calls before it. */
  end(write: (part: StreamPart) => void): void {
    while (this.#waiting.length > 0) {
      if (this.#open !== undefined) this.#closed.add(this.#open.index);
      this.#release(write);
    }
  }

  #continue(part: ToolCallDelta, write: (part: StreamPart) => void): void {
    write(part);
    if (this.#inTurn || this.#open === undefined) return;
    this.#open.scanner.add(part.arguments);
    if (this.#waiting.length === 0 || !this.#open.scanner.complete) return;
    this.#closed.add(this.#open.index);
    this.#release(write);
  }

  /** Closes the open call. Of what waited, parts behind the next incomplete call wait again. */
  #release(write: (part: StreamPart) => void): void {
    this.#open = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const part of waiting) this.push(part, write);
  }
}

/** The parts of a stream for a format in which calls must not overlap. */
class CallSequence implements StreamEncoder {
  readonly #encoder: StreamEncoder;
  readonly #inTurn: boolean;
  readonly #choices = new Map<number, ChoiceSequence>();

  constructor(encoder: StreamEncoder, inTurn: boolean) {
    this.#encoder = encoder;
    this.#inTurn = inTurn;
  }

  push(part: StreamPart): string {
    if (isOutsideContent(part)) return this.#encoder.push(part);
    const choice = ('choice' in part ? part.choice : undefined) ?? 0;
    let sequence = this.#choices.get(choice);
    if (sequence === undefined) {
      if (part.type !== 'tool-call-delta') return this.#encoder.push(part);
      sequence = new ChoiceSequence(this.#inTurn);
      this.#choices.set(choice, sequence);
    }
    const current = sequence;
    return this.#collect((write) => current.push(part, write));
  }

  end(usage?: Parameters<StreamEncoder['end']>[0]): string {
    const waiting = [...this.#choices.values()].map((sequence) =>
      this.#collect((write) => sequence.end(write)),
    );
    return waiting.join('') + this.#encoder.end(usage);
  }

  fail(error: Parameters<StreamEncoder['fail']>[0]): string {
    return this.#encoder.fail(error);
  }

  #collect(run: (write: (part: StreamPart) => void) => void): string {
    let text = '';
    run((part) => {
      text += this.#encoder.push(part);
    });
    return text;
  }
}

/** An encoder that gets each call's parts together: its deltas, then nothing more of it. */
export function inSequence(
  encoder: StreamEncoder,
  { callsInTurn = false }: ReplyContext,
): StreamEncoder {
  return new CallSequence(encoder, callsInTurn);
}
