/** What is traced of a request; `traces.ts` sends it to a collector. */
import type { RouteStep } from '../contract/log-other.ts';

export type TracedAttempt = Pick<
  RouteStep,
  'channel' | 'name' | 'type' | 'ms' | 'reason' | 'status' | 'error' | 'message'
>;

export interface RequestTrace {
  readonly requestId: string;
  /** Of the caller (W3C Trace Context); undefined: the request begins a trace. */
  readonly traceparent: string | undefined;
  readonly path: string;
  /** '' where it is not known. */
  readonly model: string;
  readonly group: string;
  readonly userId: number;
  readonly tokenId: number;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** What the caller received. */
  readonly status: number;
  /** The code of the error; undefined: none. */
  readonly error?: string | undefined;
  /** Why a stream stopped early. */
  readonly ended?: string | undefined;
  readonly attempts: readonly TracedAttempt[];
  /** Absent: nothing was served. */
  readonly charged?: {
    readonly upstreamModel: string;
    readonly promptTokens: number;
    readonly completionTokens: number;
    readonly cachedTokens: number;
    readonly quota: number;
    readonly stream: boolean;
    readonly firstByteMs: number | undefined;
  };
}

export interface Tracer {
  /** Never throws, never waits. */
  record(request: RequestTrace): void;
}
