/** Spark's error codes (docs/rules/providers.md#spark-failures). */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import { countOf, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';

type Meaning = Pick<ProviderError, 'status' | 'accountFault'>;

const meanings: readonly (readonly [codes: readonly number[], meaning: Meaning])[] = [
  [[10003, 10004, 10005, 10163, 10907], { status: 400 }],
  [[10013, 10014, 10019, 10021], { status: 400 }],
  [[10006, 10007, 11201, 11202, 11203], { status: 429 }],
  [[10015, 10016, 11200], { status: 403, accountFault: true }],
  [[10000, 10001, 10002, 10008, 10009, 10010, 10011, 10012, 10110, 10222], { status: 503 }],
];

/** The moderation held back the request or the reply. */
export function isModerated(error: ProviderError): boolean {
  return ['10013', '10014', '10019', '10021'].includes(error.code ?? '');
}

/**
 * The error of a code and its message; undefined for 0, success. `unknown`: the status of codes not
 * in the table.
 */
export function sparkError(
  code: unknown,
  message: unknown,
  unknown = 502,
): ProviderError | undefined {
  const number = countOf(code);
  if (number === undefined || number === 0) return undefined;
  const meaning = meanings.find(([codes]) => codes.includes(number))?.[1] ?? { status: unknown };
  return { ...meaning, message: textOf(message), type: 'xunfei_error', code: String(number) };
}

/**
 * Of the HTTP interface, `{code, message, sid}` or as OpenAI writes it, and of a refused handshake,
 * `{message}`.
 */
export function readSparkFailure(failure: UpstreamFailure): ProviderError {
  const root = recordOf(failure.body);
  const error = recordOf(root?.error);
  const { status } = failure;
  const own =
    sparkError(root?.code, root?.message, status) ??
    sparkError(error?.code, error?.message, status);
  if (own !== undefined) return own;
  const read = readFailure(failure);
  return { ...read, type: read.type ?? 'xunfei_error' };
}
