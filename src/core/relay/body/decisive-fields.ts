/**
 * Fields by which a request is priced: the gateway must read the same value as the upstream
 * (docs/rules/relay.md#field-spelling).
 */
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import type { RequestBody } from './request-body.ts';

const counts = ['n', 'best_of', 'max_tokens', 'max_completion_tokens', 'max_output_tokens'];
const texts = ['model', ...counts, 'size', 'quality', 'input', 'service_tier', 'inference_geo'];
const decisive: ReadonlyMap<string, string> = new Map(
  [...texts, 'file'].map((name) => [name.toUpperCase(), name]),
);

/** Whether a form may have only one part with this name. */
export function isDecisive(name: string): boolean {
  return decisive.has(name.toUpperCase());
}

/** Whether it must not be a file. */
export function isDecisiveText(name: string): boolean {
  return isDecisive(name) && name.toUpperCase() !== 'FILE';
}

/**
 * Refuses other spellings: servers written in Go take `Model` for `model`, and the last of them
 * counts. Throws AppError `code` with a detail.
 */
export function checkSpelling(body: RequestBody, code: ErrorCode): void {
  for (const name of body.names()) {
    const proper = decisive.get(name.toUpperCase());
    if (proper !== undefined && proper !== name)
      throw new AppError(code, { detail: `${name} is written ${proper}` });
  }
}
