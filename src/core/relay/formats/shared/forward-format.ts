/**
 * What the relay must know of a wire format whose bytes it passes through untouched: where a stream's end begins (it
 * waits for the settlement), what the stream says it used, and how to end one that its upstream did not.
 */

import type { ProviderError, Usage } from '../../../canonical/chat.ts';
import { parseEventData } from '../../../canonical/kit/event-data.ts';
import { createFrameReader } from '../../../canonical/kit/frames.ts';
import type { BodyFields, StreamEvent } from '../../../canonical/provider.ts';
import type { GeneratedText } from '../../../metering/countable.ts';
import type { WireFormat } from '../../../vocabulary/wire-formats.ts';
import type { WireError } from './error-body.ts';

export interface StreamEnd {
  /** What the client asked for: a usage chunk at the end. */
  readonly includeUsage: boolean;
  readonly usage: Usage | undefined;
  /** The first whole events, as they came. */
  readonly first: Buffer;
  /** What was sent so far, from the first events up to the cap of what is kept, and the newest events. */
  readonly sent: () => Buffer;
}

export interface ForwardFormat {
  readonly format: WireFormat;
  /** Whole events without what clients of the format stumble over. Absent: they read whatever SSE may hold. */
  tidy?(events: Buffer): Buffer;
  /**
   * Offset of the event with which the end of the stream begins, or −1. `events` are whole events, a character for each
   * byte (latin1): looking into short strings is cheaper than asking for bytes again and again.
   */
  terminalAt(events: string): number;
  /** The error that the first events hold although the status was 200; `read` knows the provider's words. */
  firstError(events: Buffer, read: (raw: unknown) => ProviderError): ProviderError | undefined;
  /** Usage in the reply's own figures, from the first events and the end; `newest`: those that were sent last. */
  streamUsage(first: Buffer, held: Buffer, newest: Buffer): Usage | undefined;
  /** Usage of a whole JSON reply; `usage` is its member of that name, or what stands for it. */
  replyUsage(usage: unknown, reply?: BodyFields): Usage | undefined;
  /** Name of that member. */
  readonly usageField: string;
  /** Images in a whole JSON reply. */
  images?(reply: BodyFields): number | undefined;
  /** Whole images in some events of a stream. */
  streamImages?(events: Buffer): number;
  /** The member without which a whole JSON reply that has words for a failure is no answer. */
  readonly answerField?: string;
  /** Replies that are no JSON: `text` goes on whole, `bytes` (audio) as they come. Absent: there are none. */
  readonly plain?: 'text' | 'bytes';
  /** Whether these first events only promise an answer: an error may still follow, and another channel serve. Absent: never. */
  isGreeting?(events: Buffer): boolean;
  /** Whether one of these events of the end tells how the answer finished. */
  isFinished(events: Buffer): boolean;
  /** Whether the very last event is among these of the end, after which nobody waits. Absent: the format has none. `events` as latin1 text. */
  isLast?(events: string): boolean;
  /** The end for the client: what was held, without what it did not ask for, completed where the upstream fell short. */
  end(held: Buffer, end: StreamEnd): Buffer;
  /** The end of a stream that its upstream broke off, with the format's own error. Absent: what {@link errorBody} says. */
  breakOff?(held: Buffer, error: WireError, end: StreamEnd): Buffer;
  /** What the events say: to be counted where usage never came. */
  generated(events: Buffer): GeneratedText;
}

/** The events in some bytes of a stream. */
export function readEvents(bytes: Buffer): readonly StreamEvent[] {
  const reader = createFrameReader('sse');
  return [...reader.push(bytes), ...reader.end()];
}

/** The JSON values in some bytes of a stream. */
export function readValues(bytes: Buffer): readonly unknown[] {
  return readEvents(bytes).flatMap((event) => parseEventData(event.data));
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Where the blank line begins that ends with this newline; −1 where its line is not blank. */
function blankBefore(events: string, newlineAt: number): number {
  const end = events.charCodeAt(newlineAt - 1) === carriageReturn ? newlineAt - 1 : newlineAt;
  return events.charCodeAt(end - 1) === newline ? end : -1;
}

/**
 * Where the event that contains `index` begins. `events` as latin1 text. Walked line by line: a search for a kind of line
 * break that the text does not have would read all of it for each event.
 */
export function eventStart(events: string, index: number): number {
  for (let at = events.lastIndexOf('\n', index - 1); at > 0; at = events.lastIndexOf('\n', at - 1)) {
    if (blankBefore(events, at) !== -1) return at + 1;
  }
  return 0;
}

/** Where the blank line begins that ends the event that contains `index`, or the end of the text. */
function eventEnd(events: string, index: number): number {
  for (let at = events.indexOf('\n', index + 1); at !== -1; at = events.indexOf('\n', at + 1)) {
    const blank = blankBefore(events, at);
    if (blank !== -1) return blank;
  }
  return events.length;
}

/** The events one by one, each with its blank line. */
export function splitEvents(bytes: Buffer): readonly Buffer[] {
  const text = bytes.toString('latin1');
  const events: Buffer[] = [];
  for (let start = 0; start < text.length; ) {
    const blank = eventEnd(text, start);
    const end = blank === text.length ? blank : text.indexOf('\n', blank) + 1;
    events.push(bytes.subarray(start, end));
    start = end;
  }
  return events;
}

/** {@link readValues} of a character for each byte. */
function valuesInText(events: string): readonly unknown[] {
  return readValues(Buffer.from(events, 'latin1'));
}

/**
 * Where the first event begins that holds one of the marks and is what it is looked for; −1 where there is none. A mark
 * alone proves nothing: names of tools and pieces of an answer may be the same word.
 */
export function findEvent(events: string, marks: readonly string[], isWanted: (value: unknown) => boolean): number {
  let first = -1;
  for (const mark of marks) {
    for (let at = events.indexOf(mark); at !== -1 && (first === -1 || at < first); ) {
      const start = eventStart(events, at);
      const end = eventEnd(events, at);
      if (valuesInText(events.slice(start, end)).some(isWanted)) first = start;
      at = events.indexOf(mark, end);
    }
  }
  return first;
}

/** The last events with the blank line they owe. Lines may end with CR alone, which is noticed only here: nobody does it. */
export function withProperLines(rest: Buffer): Buffer {
  const text = rest.toString('latin1');
  return Buffer.from(`${text.includes('\n') ? text : text.replaceAll('\r', '\n')}\n\n`, 'latin1');
}

/** Length of the whole events at the front of `bytes`: up to behind the last blank line, 0 when there is none. */
export function wholeEvents(bytes: Buffer): number {
  const { length } = bytes;
  // Nearly always a piece ends with its event.
  if (bytes[length - 1] === 0x0a && bytes[length - 2] === 0x0a) return length;
  const plain = bytes.lastIndexOf('\n\n');
  const windows = bytes.lastIndexOf('\n\r\n');
  return Math.max(plain === -1 ? 0 : plain + 2, windows === -1 ? 0 : windows + 3);
}
