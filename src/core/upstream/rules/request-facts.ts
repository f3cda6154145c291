/** What rules can read about the request (docs/rules/channel-rules.md#request-facts). */
import type { JsonObject } from '../../kernel/json.ts';
import type { Secret } from '../../kernel/secret.ts';

/** A failure of an earlier channel, for the conditions of a retry. */
export interface EarlierFailure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export interface RequestFacts {
  readonly requestedModel: string;
  readonly upstreamModel: string;
  /** Path of the caller's request, without the query. */
  readonly path: string;
  /** The caller's headers that may be forwarded, names in lower case. Empty for tests. */
  readonly callerHeaders: Readonly<Record<string, string>>;
  /** The channel's key, for `{api_key}`. */
  readonly key: Secret;
  /** Channels tried before this one. */
  readonly retries: number;
  readonly lastFailure: EarlierFailure | undefined;
  readonly isTest: boolean;
}

/** For calls that do not belong to a request, such as tests and account calls. */
export function factsWithoutRequest(key: Secret): RequestFacts {
  return {
    requestedModel: '',
    upstreamModel: '',
    path: '',
    callerHeaders: {},
    key,
    retries: 0,
    lastFailure: undefined,
    isTest: false,
  };
}

/** The facts under the names that conditions use: nested and flat, as in New API. */
export function factsAsJson(facts: RequestFacts, headerOverride: JsonObject): JsonObject {
  const { lastFailure: last } = facts;
  return {
    model: facts.upstreamModel,
    upstream_model: facts.upstreamModel,
    original_model: facts.requestedModel,
    request_path: facts.path,
    request_headers: facts.callerHeaders,
    header_override: headerOverride,
    retry_index: facts.retries,
    is_retry: facts.retries > 0,
    retry: { index: facts.retries, is_retry: facts.retries > 0 },
    is_channel_test: facts.isTest,
    ...(last === undefined
      ? {}
      : {
          last_error: { status_code: last.status, code: last.code, message: last.message },
          last_error_status_code: last.status,
          last_error_code: last.code,
          last_error_message: last.message,
        }),
  };
}
