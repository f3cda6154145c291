/** One thing a provider does, told as data: what a caller asks, what the upstream must get and says, what the caller gets. */
import type { Operation } from '../../../../src/core/vocabulary/operations.ts';
import type { Answer, ReceivedRequest } from '../../../support/upstream.ts';

/** What the caller got. */
export interface ClientReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed, undefined where it is no JSON. */
  readonly json: unknown;
  /** The `data:` values of an event stream parsed; `[DONE]` stays text. */
  readonly events: readonly unknown[];
  readonly bytes: Uint8Array;
}

/** A server that is no plain HTTP upstream (a WebSocket). */
export interface OwnUpstream {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

export interface ProviderCase {
  readonly operation: Operation;
  /** The caller asks for a stream. */
  readonly stream?: boolean;
  /** Only where one operation has several cases: `tools`, `error`, `v1 key`. */
  readonly title?: string;
  /** Only for these channel types of the provider; absent: for each. */
  readonly types?: readonly number[];
  /** The name the channel serves and the caller asks for. */
  readonly model: string;
  /** Columns of the channel besides type, base_url and models: `key`, `other`, `setting`, … */
  readonly channel?: Readonly<Record<string, unknown>>;
  /** More of them, where they name the scripted upstream's address: a token endpoint within a key. */
  readonly channelAt?: (url: string) => Readonly<Record<string, unknown>>;
  /** Put behind the address of the scripted upstream to make the channel's base URL: `/compatible`. */
  readonly basePath?: string;
  /** Path of the gateway and its body: JSON, or a form. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the upstream answers, request by request; the last answer stays. */
  readonly answers?: readonly Answer[];
  /** Instead of `answers`. */
  readonly upstream?: () => Promise<OwnUpstream>;
  /** Checks what the upstream was asked. */
  readonly asked: (requests: readonly ReceivedRequest[]) => void;
  /** Checks what the caller got. */
  readonly got: (reply: ClientReply) => void;
  /** Tokens on the log row of a served request. */
  readonly billed?: { readonly prompt: number; readonly completion: number };
  /** Instead of `billed`, where the provider tells no usage worth the name: both sides are counted by the gateway. */
  readonly counted?: true;
}
