/**
 * Amazon's binary event stream: total length, header length, prelude CRC, headers, payload, message
 * CRC, all big-endian. The event's name is the `:event-type`, or for failures the
 * `:exception-type`.
 */
import { crc32 } from 'node:zlib';
import { AppError } from '../../kernel/errors.ts';
import type { StreamEvent } from '../pass-through.ts';
import type { FrameReader } from './frame-reader.ts';

const preludeLength = 12;
const checksumLength = 4;

function broken(detail: string): AppError {
  return new AppError('bad_response_body', { detail });
}

/**
 * Bytes a header value of fixed size takes, by its type; 6 and 7 (bytes, text) carry their own
 * length.
 */
const fixedSize: Readonly<Record<number, number>> = {
  0: 0,
  1: 0,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  8: 8,
  9: 16,
};

/**
 * The text headers of a frame; others are stepped over. Throws RangeError on lengths that lead out
 * of it.
 */
function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameLength = bytes.readUInt8(at);
    const name = bytes.toString('utf8', at + 1, at + 1 + nameLength);
    at += 1 + nameLength;
    const type = bytes.readUInt8(at);
    at += 1;
    const fixed = fixedSize[type];
    if (fixed !== undefined) {
      at += fixed;
      continue;
    }
    const length = bytes.readUInt16BE(at);
    if (type === 7) headers.set(name, bytes.toString('utf8', at + 2, at + 2 + length));
    at += 2 + length;
  }
  if (at > bytes.length) throw new RangeError('a header leads out of its frame');
  return headers;
}

function tryHeaders(bytes: Buffer): Map<string, string> {
  try {
    return readHeaders(bytes);
  } catch {
    throw broken('a frame of the stream is malformed');
  }
}

function readFrame(frame: Buffer): StreamEvent {
  const headersEnd = preludeLength + frame.readUInt32BE(4);
  const payloadEnd = frame.length - checksumLength;
  if (headersEnd > payloadEnd) throw broken('a frame of the stream is malformed');
  if (
    crc32(frame.subarray(0, 8)) !== frame.readUInt32BE(8) ||
    crc32(frame.subarray(0, payloadEnd)) !== frame.readUInt32BE(payloadEnd)
  ) {
    throw broken('a frame of the stream is damaged');
  }
  const headers = tryHeaders(frame.subarray(preludeLength, headersEnd));
  const code = headers.get(':error-code');
  if (code !== undefined) {
    return {
      event: code,
      data: JSON.stringify({ error: { code, message: headers.get(':error-message') ?? code } }),
    };
  }
  const event = headers.get(':event-type') ?? headers.get(':exception-type') ?? '';
  return { event, data: frame.toString('utf8', headersEnd, payloadEnd) };
}

export function createAwsFrameReader(maxLength: number): FrameReader {
  let chunks: Buffer[] = [];
  let size = 0;
  let needed = preludeLength;
  return {
    push(chunk) {
      chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      size += chunk.byteLength;
      const events: StreamEvent[] = [];
      while (size >= needed) {
        const bytes =
          chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
        const length = bytes.readUInt32BE(0);
        if (length < preludeLength + checksumLength || length > maxLength)
          throw broken('a frame of the stream is malformed');
        chunks = [bytes];
        needed = length;
        if (size < length) break;
        events.push(readFrame(bytes.subarray(0, length)));
        chunks = [bytes.subarray(length)];
        size -= length;
        needed = preludeLength;
      }
      return events;
    },
    end() {
      if (size > 0) throw broken('the stream ended within a frame');
      return [];
    },
  };
}
