import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import type { CallerContext } from '../context.ts';
import { readJsonBody } from './read-format-body.ts';

/** A small body that is read as a whole. Throws AppError invalid_json. */
export async function readObjectBody(context: CallerContext): Promise<JsonObject> {
  const body = await readJsonBody(context);
  try {
    const value: unknown = body.parse();
    if (isObject(value)) return value as JsonObject;
  } catch (cause) {
    throw new AppError('invalid_json', {}, { cause });
  }
  throw new AppError('invalid_json');
}
