import type { ApiFamily } from '../../../vocabulary/wire-formats.ts';
import { errorBody, type WireError } from './error-body.ts';

/** What tells a client at the end of a stream that its answer is not whole. */
export function errorEvent(apiFamily: ApiFamily, error: WireError): Buffer {
  const body = JSON.stringify(errorBody(apiFamily, error));
  if (apiFamily === 'anthropic') return Buffer.from(`event: error\ndata: ${body}\n\n`);
  return Buffer.from(apiFamily === 'gemini' ? `data: ${body}\r\n\r\n` : `data: ${body}\n\ndata: [DONE]\n\n`);
}
