/** Requests and replies as the transport has them. */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import type { Provider, UpstreamFailure, UpstreamRequest } from '../../canonical/provider.ts';
import {
  type CollectedReply,
  headerText,
  type ResponseHeaders,
  type WireRequest,
} from '../../upstream/exchange.ts';
import type { Attempt } from '../attempt.ts';
import type { RelayJob } from '../job.ts';
import { attemptTimeouts, isThinking } from './timeouts.ts';

/** Errors of an upstream are kept this far, in bytes. */
export const maxErrorBytes = 1024 * 1024;

/** Status and headers of a reply. */
export interface ReplyHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

/** Reads a failed reply the way its provider writes errors; not masked yet. */
export function readProviderFailure(provider: Provider, reply: CollectedReply): ProviderError {
  const text = reply.bytes.toString('utf8', 0, 64 * 1024);
  const failure: UpstreamFailure = {
    status: reply.status,
    headers: Object.fromEntries(
      Object.keys(reply.headers).map((name) => [name, headerText(reply.headers, name)]),
    ),
    text,
    body: parseOrUndefined(text),
  };
  const error = provider.readFailure(failure);
  return error.message !== undefined || text.trim() === '' ? error : { ...error, raw: text.trim() };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** SSE, or Amazon's frames. */
export function isEventStream(headers: ResponseHeaders): boolean {
  const type = headerText(headers, 'content-type').toLowerCase();
  return (
    type.startsWith('text/event-stream') || type.startsWith('application/vnd.amazon.eventstream')
  );
}

/**
 * An adapter's request as the transport takes it. Replies are requested uncompressed: usage is read
 * from them.
 */
export function toWireRequest(
  job: RelayJob,
  attempt: Attempt,
  request: UpstreamRequest,
): WireRequest {
  const { body } = request;
  // The first event of an image or an audio may be the whole of it.
  const stream = job.stream && job.format.kind !== 'call';
  return {
    method: request.method,
    url: request.url,
    headers: { ...request.headers, 'accept-encoding': 'identity' },
    body:
      body === undefined
        ? undefined
        : body instanceof Uint8Array
          ? asBuffer(body)
          : JSON.stringify(body),
    proxy: attempt.channel.proxy,
    ...attemptTimeouts(job.deps.limits, {
      stream,
      thinking: isThinking(attempt.upstreamModel, job.body),
    }),
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
