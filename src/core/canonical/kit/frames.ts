/**
 * Raw bytes of a streamed reply → its events, however the network cut them
 * (docs/rules/formats.md#stream-framing).
 */
import { createParser, type ParseError } from 'eventsource-parser';
import { AppError } from '../../kernel/errors.ts';
import type { Framing, StreamEvent } from '../pass-through.ts';
import { createAwsFrameReader } from './aws-event-stream.ts';
import type { FrameReader } from './frame-reader.ts';

/** Bytes of a line or an event where the caller sets no limit: what it reads is bounded already. */
const unboundedLength = 256 * 1024 * 1024;

const createReader: Readonly<Record<Framing, (maxLength: number) => FrameReader>> = {
  sse: createSseReader,
  ndjson: createLineReader,
  'aws-event-stream': createAwsFrameReader,
};

/** `maxLength`: bytes that one event may have; images and encrypted reasoning come in one piece. */
export function createFrameReader(
  framing: Framing,
  maxLength: number = unboundedLength,
): FrameReader {
  return createReader[framing](maxLength);
}

function lineTooLong(): AppError {
  return new AppError('bad_response_body', { detail: 'a line of the stream is too long' });
}

/**
 * A body that opens like this is no SSE: an upstream that ignored `stream`, or a plain error behind
 * status 200.
 */
function opensJson(text: string): boolean {
  const first = text.trimStart().charCodeAt(0);
  return first === 0x7b || first === 0x5b;
}

/**
 * What some vendors send amid SSE: an error as a bare JSON line (Baidu), a field `meta` with the
 * usage (Zhipu v3).
 */
function strayEvent({ field, value, line }: ParseError): StreamEvent | undefined {
  if (line?.startsWith('{')) return { event: '', data: line };
  return field === 'meta' && value !== undefined ? { event: 'meta', data: value } : undefined;
}

function createSseReader(maxLength: number): FrameReader {
  const decoder = new TextDecoder();
  let events: StreamEvent[] = [];
  let overflow = false;
  let json: string[] | undefined;
  let undecided = true;
  let partial: string[] = [];
  let partialLength = 0;
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: (message) => events.push({ event: message.event ?? '', data: message.data }),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') overflow = true;
      const stray = error.type === 'unknown-field' ? strayEvent(error) : undefined;
      if (stray !== undefined) events.push(stray);
    },
  });

  function feed(text: string): void {
    if (undecided) {
      // Leading blank lines are ignored.
      if (text.trimStart() === '') return;
      undecided = false;
      if (opensJson(text)) json = [];
      feedPiece(json === undefined ? text.trimStart() : text);
    } else feedPiece(text);
    if (overflow) throw lineTooLong();
  }
  function feedPiece(text: string): void {
    if (json === undefined) return feedLines(text);
    json.push(text);
    partialLength += text.length;
    overflow ||= partialLength > maxLength;
  }
  /**
   * The parser gets whole lines only: of one that is no field of SSE it would throw the first piece
   * away.
   */
  function feedLines(text: string): void {
    const end = text.endsWith('\n')
      ? text.length
      : Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    if (end > 0) {
      parser.feed(
        partial.length === 0 ? text.slice(0, end) : partial.join('') + text.slice(0, end),
      );
      partial = [];
      partialLength = 0;
    }
    if (end === text.length) return;
    partial.push(text.slice(end));
    partialLength += text.length - end;
    overflow ||= partialLength > maxLength;
  }
  function take(): StreamEvent[] {
    const taken = events;
    events = [];
    return taken;
  }
  return {
    push(chunk) {
      feed(decoder.decode(chunk, { stream: true }));
      return take();
    },
    end() {
      feed(decoder.decode());
      if (json !== undefined) return [{ event: '', data: json.join('') }];
      // A last event whose blank line never came is still an event.
      if (!overflow) parser.feed(`${partial.join('')}\n\n`);
      return take();
    },
  };
}

/** One JSON value per line; blank lines are keep-alives. */
function createLineReader(maxLength: number): FrameReader {
  const decoder = new TextDecoder();
  let pending: string[] = [];
  let pendingLength = 0;

  function split(text: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    let start = 0;
    for (let stop = text.indexOf('\n'); stop !== -1; stop = text.indexOf('\n', start)) {
      if (pendingLength + stop - start > maxLength) throw lineTooLong();
      const line = `${pending.join('')}${text.slice(start, stop)}`.trim();
      pending = [];
      pendingLength = 0;
      start = stop + 1;
      if (line !== '') events.push({ event: '', data: line });
    }
    if (start < text.length) {
      pending.push(text.slice(start));
      pendingLength += text.length - start;
      if (pendingLength > maxLength) throw lineTooLong();
    }
    return events;
  }
  return {
    push: (chunk) => split(decoder.decode(chunk, { stream: true })),
    end: () => split(`${decoder.decode()}\n`),
  };
}
