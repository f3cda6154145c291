/** The words for what went wrong, and the code that scripts read. */
import { CallError } from '../../core/contract/envelope.ts';
import { translate } from '../../core/i18n/translate.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { type Language, say } from './text.ts';
import { UsageError } from './usage-error.ts';

export interface Failure {
  readonly code: string;
  readonly message: string;
}

export function describeFailure(error: unknown, language: Language): Failure {
  if (error instanceof UsageError) return { code: 'usage', message: say(language, error.text, error.params) };
  if (error instanceof CallError) return { code: error.code ?? 'failed', message: withRequestId(error, language) };
  if (error instanceof AppError) return { code: error.code, message: translate(language, `error.${error.code}`, error.params) };
  if (isAddressInUse(error))
    return { code: 'address_in_use', message: say(language, texts.addressInUse, { port: error.port ?? '' }) };
  // Ctrl-C in a prompt: inquirer throws an error of this name.
  if (error instanceof Error && error.name === 'ExitPromptError') {
    return { code: 'interrupted', message: say(language, { en: 'Interrupted', zh: '已中断' }) };
  }
  return { code: 'internal_error', message: error instanceof Error ? error.message : String(error) };
}

/** Another program listens on the port. */
function isAddressInUse(error: unknown): error is NodeJS.ErrnoException & { readonly port?: number } {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

/** Failures that nobody expected carry the id under which the gateway logged them. */
function withRequestId(error: CallError, language: Language): string {
  if (error.requestId === undefined || error.code !== 'internal_error') return error.message;
  return `${error.message} (${say(language, { en: 'request', zh: '请求' })} ${error.requestId})`;
}

const texts = {
  addressInUse: { en: 'Port {port} is taken: choose another with --port', zh: '端口 {port} 已被占用：请用 --port 换一个' },
} as const;
