import { noBytes } from '../../kernel/no-bytes.ts';

/** Texts in a row that begin and end alike, as bytes. */
interface Run {
  readonly head: string;
  readonly tail: string;
  /** What is between the two, text by text, its length before each. */
  readonly middles: ByteList;
}

/** Characters that two texts share at least; with fewer a run is not worth its overhead. */
const leastShared = 96;
/** Characters that are compared at each end. */
const mostShared = 512;
const quote = '"';

/**
 * Keeps the events of a stream, which differ only by a word in the middle, in a tenth of their
 * size. Heads end and tails begin with a quotation mark, so that two words that begin alike do not
 * shorten what the next one is compared with.
 */
export class RepeatedText {
  readonly #runs: Run[] = [];
  #newest = '';
  /** Characters in all. */
  length = 0;

  /** `text`: the bytes as latin1. */
  push(bytes: Buffer, text: string): void {
    this.length += text.length;
    let run = this.#runs.at(-1);
    if (run === undefined || run.head === '' || !fits(run, text)) run = this.#begin(run, text);
    run.middles.push(bytes, run.head.length, bytes.length - run.tail.length);
    this.#newest = text;
  }

  #begin(before: Run | undefined, text: string): Run {
    const [head, tail] = sharedEnds(this.#newest, text);
    if (head + tail < leastShared && before?.head === '') return before;
    const run =
      head + tail < leastShared
        ? { head: '', tail: '', middles: new ByteList() }
        : // New strings: a part of a string keeps all of it.
          {
            head: copyOf(text.slice(0, head)),
            tail: copyOf(text.slice(text.length - tail)),
            middles: new ByteList(),
          };
    this.#runs.push(run);
    return run;
  }

  bytes(): Buffer {
    const texts = this.#runs.flatMap(({ head, tail, middles }) =>
      middles.texts().map((middle) => head + middle + tail),
    );
    return Buffer.from(texts.join(''), 'latin1');
  }
}

const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

const firstCapacity = 512;
const lengthBytes = 4;

/**
 * Bytes in one piece of memory that grows: half of what short strings take, and no collection looks
 * at each (docs/performance.md#streams).
 */
class ByteList {
  #bytes: Buffer = noBytes;
  #used = 0;

  push(bytes: Buffer, start: number, end: number): void {
    const next = this.#used + lengthBytes + end - start;
    if (next > this.#bytes.length) this.#grow(next);
    this.#bytes.writeUInt32LE(end - start, this.#used);
    bytes.copy(this.#bytes, this.#used + lengthBytes, start, end);
    this.#used = next;
  }

  #grow(least: number): void {
    // Not of the pool, a part of which would keep all of it.
    const larger = Buffer.allocUnsafeSlow(Math.max(least, firstCapacity, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }

  /** As latin1. */
  texts(): readonly string[] {
    const texts: string[] = [];
    for (let at = 0; at < this.#used; ) {
      const start = at + lengthBytes;
      at = start + this.#bytes.readUInt32LE(at);
      texts.push(this.#bytes.toString('latin1', start, at));
    }
    return texts;
  }
}

function fits({ head, tail }: Run, text: string): boolean {
  const end = text.length - tail.length;
  // Slices of flat texts compare faster than startsWith and endsWith do.
  return end >= head.length && text.slice(0, head.length) === head && text.slice(end) === tail;
}

/**
 * How many characters of head and tail two texts share, up to and from a quotation mark; no head:
 * [0, 0].
 */
function sharedEnds(one: string, other: string): readonly [number, number] {
  const most = Math.min(one.length, other.length);
  let equal = 0;
  let head = 0;
  while (equal < most && equal < mostShared && one.charCodeAt(equal) === other.charCodeAt(equal)) {
    equal += 1;
    if (other[equal - 1] === quote) head = equal;
  }
  if (head === 0) return [0, 0];
  equal = 0;
  let tail = 0;
  while (equal < most - head && equal < mostShared && one.at(-1 - equal) === other.at(-1 - equal)) {
    equal += 1;
    if (other.at(-equal) === quote) tail = equal;
  }
  return [head, tail];
}
