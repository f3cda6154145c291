/** The message for a failure, and the error code for scripts. */
import { CallError } from '../../core/contract/envelope.ts';
import { translate } from '../../core/i18n/translate.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { isInterruption } from './exit-codes.ts';
import type { Flag } from './flags.ts';
import { describeSystemError, type Failure } from './system-error.ts';
import { type Language, localize } from './text.ts';
import { UsageError } from './usage-error.ts';

export function describeFailure(error: unknown, language: Language): Failure {
  if (error instanceof UsageError)
    return { code: 'usage', message: localize(language, error.text, error.params) };
  if (error instanceof CallError)
    return { code: error.code ?? 'failed', message: withRequestId(error, language) };
  if (error instanceof AppError)
    return { code: error.code, message: translate(language, `error.${error.code}`, error.params) };
  if (isInterruption(error)) {
    return {
      code: 'interrupted',
      message: localize(language, { en: 'Interrupted', zh: '已中断' }),
    };
  }
  const system = describeSystemError(error, language);
  if (system !== undefined) return system;
  return {
    code: 'internal_error',
    message: error instanceof Error ? error.message : String(error),
  };
}

const ofFields = new Set(['invalid_parameter', 'budget_field_invalid']);
/** Their values are not repeated. */
const secretFields = new Set(['key', 'password']);

/** Of a field that a call refuses: the flag that set it, with its value. */
export function namingFlags(
  { code, message }: Failure,
  flags: readonly Flag[],
  given: Readonly<Record<string, unknown>>,
): string {
  if (!ofFields.has(code)) return message;
  const [head = '', field = '', rest = ''] =
    /^([^:：]*[:：] ?)(\w+)(.*)$/s.exec(message)?.slice(1) ?? [];
  const flag = flags.find((one) => one.field === field);
  if (flag === undefined) return message;
  const value = given[flag.name];
  const shown = typeof value === 'string' && !secretFields.has(field) ? ` ${value}` : '';
  return `${head}--${flag.name}${shown}${rest}`;
}

/** Adds the request id to internal errors, under which the gateway logged them. */
function withRequestId(error: CallError, language: Language): string {
  if (error.requestId === undefined || error.code !== 'internal_error') return error.message;
  return `${error.message} (${localize(language, { en: 'request id', zh: '请求编号' })} ${error.requestId})`;
}
