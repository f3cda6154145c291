/**
 * Events of a stream that is passed through, read and found in its bytes. Offsets count bytes;
 * latin1 text has a character for each.
 */
import { parseEventData } from '../../../canonical/kit/event-data.ts';
import { createFrameReader } from '../../../canonical/kit/frames.ts';
import type { StreamEvent } from '../../../canonical/pass-through.ts';

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

/** Messages' ping and the keepalive of Responses; longer events are something else. */
const pingType = /"type":\s*"(?:ping|keepalive)"/;
const longestPing = 200;

/** Where the blank line begins that ends with this newline; −1 where its line is not blank. */
function blankBefore(events: string, newlineAt: number): number {
  const end = events.charCodeAt(newlineAt - 1) === carriageReturn ? newlineAt - 1 : newlineAt;
  return events.charCodeAt(end - 1) === newline ? end : -1;
}

/**
 * Where the event that contains `index` begins. `events` as latin1 text. Walked line by line: a
 * search for a kind of line break that the text does not have would read all of it for each event.
 */
export function eventStart(events: string, index: number): number {
  for (
    let at = events.lastIndexOf('\n', index - 1);
    at > 0;
    at = events.lastIndexOf('\n', at - 1)
  ) {
    if (blankBefore(events, at) !== -1) return at + 1;
  }
  return 0;
}

/**
 * Where the blank line begins that ends the event that contains `index`, or the end of the text.
 */
function eventEnd(events: string, index: number): number {
  for (let at = events.indexOf('\n', index + 1); at !== -1; at = events.indexOf('\n', at + 1)) {
    const blank = blankBefore(events, at);
    if (blank !== -1) return blank;
  }
  return events.length;
}

/** Where the event after the one that contains `index` begins. */
export function nextEvent(events: string, index: number): number {
  const blank = eventEnd(events, index);
  return blank === events.length ? blank : events.indexOf('\n', blank) + 1;
}

/** The events one by one, each with its blank line. */
export function splitEvents(bytes: Buffer): readonly Buffer[] {
  const text = bytes.toString('latin1');
  const events: Buffer[] = [];
  for (let start = 0; start < text.length; ) {
    const end = nextEvent(text, start);
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
 * Finds any of the texts, in one pass: a search for each takes six times as long, and every event of
 * every stream is searched (docs/performance.md#streams).
 */
export function marksOf(...texts: readonly string[]): RegExp {
  return new RegExp(texts.map((text) => text.replace(/[{[\]]/g, '\\$&')).join('|'), 'g');
}

/**
 * Where the first event begins that holds one of the marks and passes the test; −1 where there is
 * none. A mark alone proves nothing: the name of a tool or a piece of an answer may be the same
 * word.
 */
export function findEvent(
  events: string,
  marks: RegExp,
  matches: (value: unknown) => boolean,
): number {
  for (let from = 0; from < events.length; ) {
    marks.lastIndex = from;
    if (!marks.test(events)) return -1;
    // Marks have no line breaks: their last character is in the same event.
    const at = marks.lastIndex - 1;
    const start = eventStart(events, at);
    from = eventEnd(events, at);
    if (valuesInText(events.slice(start, from)).some(matches)) return start;
  }
  return -1;
}

/** Whether a text has one of the marks. */
export function hasMark(events: string, marks: RegExp): boolean {
  marks.lastIndex = 0;
  return marks.test(events);
}

/** Comments, or an event that only keeps the connection open. `events` as latin1 text. */
export function isKeepAlive(events: string): boolean {
  return !events.includes('data:') || (events.length < longestPing && pingType.test(events));
}

/**
 * The last events with the blank line that never came. Lines that end with CR alone are only
 * understood here; no server is known to send them.
 */
export function withProperLines(remainder: Buffer): Buffer {
  const text = remainder.toString('latin1');
  return Buffer.from(`${text.includes('\n') ? text : text.replaceAll('\r', '\n')}\n\n`, 'latin1');
}

/** Whether the data of some bytes is whole JSON, or `[DONE]`. Comments have none. */
export function isWholeEvent(bytes: Buffer): boolean {
  return readEvents(bytes).every(
    ({ data }) => data.trim() === '[DONE]' || parseEventData(data).length > 0,
  );
}

/**
 * Length of the whole events at the front of `bytes`: up to behind the last blank line, 0 when
 * there is none.
 */
export function wholeEvents(bytes: Buffer): number {
  const { length } = bytes;
  // Nearly always a chunk ends with its event.
  if (bytes[length - 1] === 0x0a && bytes[length - 2] === 0x0a) return length;
  const plain = bytes.lastIndexOf('\n\n');
  const windows = bytes.lastIndexOf('\n\r\n');
  return Math.max(plain === -1 ? 0 : plain + 2, windows === -1 ? 0 : windows + 3);
}
