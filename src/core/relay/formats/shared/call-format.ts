/** Client formats of calls that are no conversation: one request, one reply. */

import type { CanonicalOperation, Operations } from '../../../canonical/calls.ts';
import type { JsonValue } from '../../../kernel/json.ts';
import type { WireFormat } from '../../../vocabulary/wire-formats.ts';
import type { RequestBody } from '../../body/request-body.ts';
import type { FileFetcher } from '../../files/inline-images.ts';

export type CallOperation = Exclude<CanonicalOperation, 'chat'>;

/** What the address says where the body does not. */
export interface CallAddress {
  /** The name the caller asked for, or the format's default. */
  readonly model: string;
  /** Path without query. */
  readonly path: string;
}

/** A body in one of these formats, before anything is known of who serves it. */
export interface CallRules {
  readonly format: WireFormat;
  /** Asked for where the body names no model (spec, relay 6). */
  readonly defaultModel?: string;
  /** Whether a form is taken; absent: JSON only. */
  readonly form?: 'allowed' | 'required';
  /** Refuses what no upstream could answer, without a deep look. Throws AppError with the format's own code, {detail}. */
  check(body: RequestBody, address: CallAddress): void;
  /** Whether the caller wants events; absent: never. */
  streams?(body: RequestBody): boolean;
}

export interface CallReplyContext extends CallAddress {
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

/** A format whose calls can be translated to providers that speak another one. */
export interface CallFormat<O extends CallOperation> extends CallRules {
  readonly operation: O;
  /** The canonical form of a checked body. Throws AppError as {@link check} does, and for files that cannot be fetched. */
  readRequest(
    body: RequestBody,
    address: CallAddress,
    files: () => FileFetcher,
  ): Operations[O]['request'] | Promise<Operations[O]['request']>;
  /** Images in a reply. */
  images?(reply: Operations[O]['reply']): number;
  writeReply(
    reply: Operations[O]['reply'],
    request: Operations[O]['request'],
    context: CallReplyContext,
  ): WrittenReply | Promise<WrittenReply>;
}

export function jsonReply(value: JsonValue): WrittenReply {
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/** Events as the official clients of these calls read them: each names its kind in `type`. */
export function eventReply(events: readonly { readonly type: string }[]): WrittenReply {
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return { contentType: 'text/event-stream', body };
}

/** `stream` of a JSON body, or of a form, where everything is text. */
export function wantsStream(body: RequestBody): boolean {
  const stream = body.get('stream');
  return stream === true || stream === 'true';
}
