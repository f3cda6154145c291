import { accountErrors } from './errors/accounts.ts';
import { processErrors } from './errors/process.ts';
import { requestErrors } from './errors/requests.ts';
import { siteErrors } from './errors/site.ts';
import type { ErrorSpec } from './errors/spec.ts';

export type { ErrorSpec } from './errors/spec.ts';

/** Every error, by its code: a file of `errors` for each part of the program declares its own. */
export const errorTable = {
  ...requestErrors,
  ...accountErrors,
  ...siteErrors,
  ...processErrors,
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof errorTable;
export type ErrorParams = Readonly<Record<string, string | number>>;

/**
 * The only error that this code base throws on purpose. `message` is for logs; users see the text
 * of `error.<code>`.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly params: ErrorParams;

  constructor(code: ErrorCode, params: ErrorParams = {}, options?: { cause?: unknown }) {
    super(code + (Object.keys(params).length > 0 ? ` ${JSON.stringify(params)}` : ''), options);
    this.name = 'AppError';
    this.code = code;
    this.params = params;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorTable, text);
}
