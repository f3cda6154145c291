import type { CanonicalOperation } from '../../../canonical/calls.ts';
import type { JsonValue } from '../../../kernel/json.ts';
import type { RequestBody } from '../../body/request-body.ts';
import type { FileFetcher } from '../../files/file-fetcher.ts';

export type CallOperation = Exclude<CanonicalOperation, 'chat'>;

/** What the reply to a call depends on, besides the provider's answer. */
export interface CallReplyContext {
  /** The name in the caller's request, or the format's default. */
  readonly model: string;
  /** Path without query. */
  readonly path: string;
  readonly body: RequestBody;
  /** Unix seconds. */
  readonly created: number;
  /** The caller wants events. */
  readonly stream: boolean;
  /** For images that a provider only gave the address of. */
  readonly files: () => FileFetcher;
}

export interface WrittenReply {
  readonly contentType: string;
  readonly body: Uint8Array | string;
}

export const eventStream = 'text/event-stream';

export function jsonReply(value: JsonValue): WrittenReply {
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/** Events as the official clients of these calls read them: each names its kind in `type`. */
export function eventReply(
  events: readonly { readonly type: string; readonly [field: string]: unknown }[],
): WrittenReply {
  const body = events
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
  return { contentType: eventStream, body };
}
