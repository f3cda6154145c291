/** Frames of Amazon's event stream, as sent by Bedrock. */
import { crc32 } from 'node:zlib';
import type { Answer } from './upstream.ts';

function header(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  const head = Buffer.alloc(name.length + 4);
  head.writeUInt8(name.length, 0);
  head.write(name, 1);
  head.writeUInt8(7, name.length + 1);
  head.writeUInt16BE(bytes.length, name.length + 2);
  return Buffer.concat([head, bytes]);
}

export function awsFrame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const fields = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(payload);
  const frame = Buffer.alloc(12 + fields.length + body.length + 4);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(fields.length, 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  fields.copy(frame, 12);
  body.copy(frame, 12 + fields.length);
  frame.writeUInt32BE(crc32(frame.subarray(0, frame.length - 4)), frame.length - 4);
  return frame;
}

/** A frame with an event of Claude or, with a name, of Converse. */
export function eventFrame(event: object, name = 'chunk'): Buffer {
  const payload =
    name === 'chunk'
      ? { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abcdef' }
      : event;
  const headers = {
    ':event-type': name,
    ':content-type': 'application/json',
    ':message-type': 'event',
  };
  return awsFrame(headers, JSON.stringify(payload));
}

export function exceptionFrame(name: string, message: string): Buffer {
  const headers = {
    ':exception-type': name,
    ':content-type': 'application/json',
    ':message-type': 'exception',
  };
  return awsFrame(headers, JSON.stringify({ message }));
}

/** A streamed reply of these frames, in chunks that cut through them. */
export function framesReply(...frames: readonly Buffer[]): Answer {
  return (response) => {
    const bytes = Buffer.concat(frames);
    response.writeHead(200, {
      'content-type': 'application/vnd.amazon.eventstream',
      'x-amzn-requestid': 'request-1',
    });
    response.write(bytes.subarray(0, 37));
    response.end(bytes.subarray(37));
  };
}
