/**
 * Fields by which a request is priced, or which decide whose work it is: the gateway must read the
 * same value as the upstream (docs/rules/relay.md#field-spelling).
 */
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { guardedFields } from '../../vocabulary/guarded-fields.ts';
import type { RequestBody } from './request-body.ts';

const counts = ['n', 'best_of', 'max_tokens', 'max_completion_tokens', 'max_output_tokens'];
const images = [
  'size',
  'quality',
  'batch_size',
  'sequential_image_generation',
  'sequential_image_generation_options',
];
const texts = ['model', ...counts, ...images, 'input'];

/**
 * A name without its case, as servers written in Go compare names: a long s and the sign for
 * kelvins are letters, too.
 */
function folded(name: string): string {
  return name.toLowerCase().toUpperCase();
}

function byFolded(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [folded(name), name]));
}

const guarded = Object.values<readonly string[]>(guardedFields)
  .flat()
  .filter((name) => !name.includes('.'));
const decisive = byFolded([...guarded, ...texts, 'file']);

/** Whether a form may have only one part with this name. */
export function isDecisive(name: string): boolean {
  return decisive.has(folded(name));
}

/** Whether it must not be a file. */
export function isDecisiveText(name: string): boolean {
  return isDecisive(name) && folded(name) !== 'FILE';
}

/**
 * Refuses other spellings: servers written in Go or C# take `Model` for `model`, and the last of
 * them counts. Throws AppError `code` with a detail.
 */
export function checkSpelling(body: RequestBody, code: ErrorCode): void {
  checkNames(body.names(), decisive, code);
}

/** The same for a task's body, whose fields are others. Throws AppError('invalid_request'). */
export function spellingOf(names: readonly string[]): (body: object) => void {
  const known = byFolded(names);
  return (body) => checkNames(Object.keys(body), known, 'invalid_request');
}

function checkNames(
  names: Iterable<string>,
  known: ReadonlyMap<string, string>,
  code: ErrorCode,
): void {
  for (const name of names) {
    const proper = known.get(folded(name));
    if (proper !== undefined && proper !== name)
      throw new AppError(code, { detail: `${name} is written ${proper}` });
  }
}
