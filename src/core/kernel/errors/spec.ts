/**
 * An error code's properties. `status` is the HTTP status on relay routes, and on `/api` where the
 * console API replies with a status other than 200 (see contract/envelope.ts). `local` errors are
 * caused by the caller or the operator: they are never retried on another channel and never count
 * against a channel (docs/rules/relay.md#error-kinds). `final` tells clients that a retry is
 * useless (docs/rules/relay.md#retry-headers). The messages are in `i18n` under `error.<code>`.
 */
export interface ErrorSpec {
  readonly status: number;
  readonly local: boolean;
  readonly final?: boolean;
  /**
   * `type` and `param` in the error body, where clients know OpenAI's own error by them. Absent:
   * the gateway's type.
   */
  readonly wire?: { readonly type: string; readonly param?: string };
}

export const local = (status: number): ErrorSpec => ({ status, local: true });
/** A retry is useless. */
export const final = (status: number): ErrorSpec => ({ status, local: true, final: true });
/** An error that OpenAI's clients know. */
export const known = (status: number, param?: string): ErrorSpec => ({
  status,
  local: true,
  final: true,
  wire: { type: 'invalid_request_error', ...(param === undefined ? {} : { param }) },
});
export const upstream = (status: number): ErrorSpec => ({ status, local: false });
