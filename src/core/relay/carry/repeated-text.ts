/** Texts in a row that begin and end alike. */
interface Run {
  readonly head: string;
  readonly tail: string;
  /** What is between the two, text by text. */
  readonly middles: string[];
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
    const run = this.#runs.at(-1);
    if (run !== undefined && run.head !== '' && fits(run, text))
      run.middles.push(middleOf(bytes, text, run));
    else this.#begin(run, bytes, text);
    this.#newest = text;
  }

  #begin(before: Run | undefined, bytes: Buffer, text: string): void {
    const [head, tail] = sharedEnds(this.#newest, text);
    if (head + tail >= leastShared) {
      // New strings: a part of a string keeps all of it.
      const ends = {
        head: bytes.toString('latin1', 0, head),
        tail: bytes.toString('latin1', bytes.length - tail),
      };
      this.#runs.push({ ...ends, middles: [middleOf(bytes, text, ends)] });
    } else if (before?.head === '') before.middles.push(text);
    else this.#runs.push({ head: '', tail: '', middles: [text] });
  }

  bytes(): Buffer {
    return Buffer.from(
      this.#runs.map(({ head, tail, middles }) => head + middles.join(tail + head) + tail).join(''),
      'latin1',
    );
  }
}

function fits({ head, tail }: Run, text: string): boolean {
  const end = text.length - tail.length;
  // Slices of flat texts compare faster than startsWith and endsWith do.
  return end >= head.length && text.slice(0, head.length) === head && text.slice(end) === tail;
}

/**
 * Up to so many characters V8 copies a part of a string; a longer part refers to the whole string
 * and keeps it.
 */
const longestCopy = 12;

function middleOf(bytes: Buffer, text: string, { head, tail }: Pick<Run, 'head' | 'tail'>): string {
  const end = text.length - tail.length;
  return end - head.length <= longestCopy
    ? text.slice(head.length, end)
    : bytes.toString('latin1', head.length, end);
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
