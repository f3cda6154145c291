/** Zhipu's error codes, the same in both interfaces (docs/rules/providers.md#zhipu-failures). */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import { countOf, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';

type Meaning = Pick<ProviderError, 'status' | 'accountFault'>;

/**
 * 1113, an empty account, comes with HTTP 429; 1309 is a plan that has ended, 1311 a model outside
 * of it.
 */
const meanings: readonly (readonly [codes: readonly number[], meaning: Meaning])[] = [
  [[1000, 1001, 1002, 1003, 1004, 1005], { status: 401, accountFault: true }],
  [[1113], { status: 402, accountFault: true }],
  [[1110, 1111, 1112, 1120, 1121], { status: 403, accountFault: true }],
  [[1210, 1212, 1213, 1214, 1215, 1261, 1301], { status: 400 }],
  [[1211, 1221, 1222], { status: 404 }],
  [[1220, 1311], { status: 403 }],
  [[1309], { status: 403, accountFault: true }],
  [[1302, 1303, 1304, 1305, 1308, 1310, 1312], { status: 429 }],
];

/**
 * Codes are texts in v4 (`"1302"`) and numbers in v3. Undefined for anything that is no code of
 * Zhipu's.
 */
export function zhipuError(
  code: unknown,
  message: unknown,
  type = 'zhipu_error',
): ProviderError | undefined {
  const number = countOf(code);
  if (number === undefined || number < 1000) return undefined;
  const meaning = meanings.find(([codes]) => codes.includes(number))?.[1];
  return { ...(meaning ?? { status: 502 }), message: textOf(message), type, code: String(number) };
}

/**
 * `{error: {code, message}}` of v4, `{success: false, code, msg}` of v3. A code we do not know
 * keeps the reply's status.
 */
export function readZhipuFailure(failure: UpstreamFailure): ProviderError {
  const root = recordOf(failure.body);
  const error = recordOf(root?.error);
  const own = zhipuError(error?.code, error?.message) ?? zhipuError(root?.code, root?.msg);
  if (own === undefined) {
    const read = readFailure(failure);
    return { ...read, type: read.type ?? 'zhipu_error' };
  }
  return own.status === 502 ? { ...own, status: failure.status } : own;
}
