import { AppError, type ErrorCode } from '../../../kernel/errors.ts';
import type { JsonKind, RequestBody } from '../../body/request-body.ts';

interface RequiredField {
  readonly field: string;
  readonly kinds: readonly JsonKind[];
  readonly code: ErrorCode;
}

/**
 * A check that the conversation is there and `stream` is a boolean. It throws AppError `code`,
 * {detail}.
 */
export function requireField({ field, kinds, code }: RequiredField): (body: RequestBody) => void {
  return (body) => {
    const kind = body.kind(field);
    if (kind === undefined || kind === 'null')
      throw new AppError(code, { detail: `field ${field} is required` });
    if (!kinds.includes(kind))
      throw new AppError(code, { detail: `field ${field} must be ${kinds.join(' or ')}` });
    const stream = body.kind('stream');
    if (stream !== undefined && stream !== 'boolean' && stream !== 'null')
      throw new AppError(code, { detail: 'field stream must be boolean' });
  };
}
