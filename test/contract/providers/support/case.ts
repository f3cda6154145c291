/**
 * One provider case as data: the caller's request, the expected upstream requests, the upstream's
 * replies, the expected reply.
 */
import type { Operation } from '../../../../src/core/vocabulary/operations.ts';
import type { Answer, ReceivedRequest } from '../../../support/upstream.ts';

/** The reply that the caller received. */
export interface ClientReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
  /** The parsed `data:` values of an event stream; `[DONE]` stays text. */
  readonly events: readonly unknown[];
  readonly bytes: Uint8Array;
}

/** An upstream that is not a plain HTTP server, such as a WebSocket server. */
export interface CustomUpstream {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

export interface ProviderCase {
  readonly operation: Operation;
  /** The caller requests a stream. */
  readonly stream?: boolean;
  /** Needed when one operation has several cases: `tools`, `error`, `v1 key`. */
  readonly title?: string;
  /** The channel types of the provider that the case runs for. Default: all of them. */
  readonly types?: readonly number[];
  /** The model name that the channel serves and the caller requests. */
  readonly model: string;
  /** Channel columns besides type, base_url and models: `key`, `other`, `setting`, … */
  readonly channel?: Readonly<Record<string, unknown>>;
  /** Channel columns that contain the upstream's URL, such as a key with a token endpoint. */
  readonly channelAt?: (url: string) => Readonly<Record<string, unknown>>;
  /** Appended to the upstream's URL to form the channel's base URL: `/compatible`. */
  readonly basePath?: string;
  /** Path on the gateway. */
  readonly path: string;
  /** A JSON body or a form. */
  readonly body: Readonly<Record<string, unknown>> | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** The upstream's replies, one per request; the last one repeats. */
  readonly upstreamReplies?: readonly Answer[];
  /** Used instead of a scripted HTTP upstream with `upstreamReplies`. */
  readonly customUpstream?: () => Promise<CustomUpstream>;
  /** Checks the requests that the upstream received. */
  readonly expectRequests: (requests: readonly ReceivedRequest[]) => void;
  /** Checks the reply that the caller received. */
  readonly expectReply: (reply: ClientReply) => void;
  /** What the process log says of the attempt that failed: status, `error` (code), `failure`. */
  readonly reported?: object;
  /** Expected tokens in the log row of a successful request. */
  readonly billed?: { readonly prompt: number; readonly completion: number };
  /**
   * Used instead of `billed` when the provider reports no usable usage: the gateway counts input
   * and output.
   */
  readonly counted?: true;
}
