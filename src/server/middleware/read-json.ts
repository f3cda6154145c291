/**
 * Reads the JSON bodies of calls, within limits that depend on who calls
 * (docs/rules/console-api.md#bodies).
 */
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Endpoint } from '../../core/contract/endpoint.ts';
import { exceedsJson, type JsonLimits } from '../../core/kernel/json-size.ts';

/** A client without a session can send as much as the forms before a login need. */
const visitorBytes = 64 * 1024;
const visitorLimits: JsonLimits = { values: 1000, depth: 16 };
const defaultBytes = 1024 * 1024;
const maxDepth = 64;
/** Bytes for each value of a large body: 52,000 values in 1 MB. */
const bytesPerValue = 20;

export interface JsonReader {
  /** Whether the caller of a request was identified. */
  readonly isKnown: (request: Request) => boolean;
  /** Gets the time at which parsing begins and ends, by the clock of `now`. */
  readonly spend: (request: Request, ms: number) => void;
  readonly now: () => number;
}

/** Fails with errors that {@link asBodyError} reads. */
export function readJson(
  { bodyLimit = defaultBytes }: Pick<Endpoint, 'bodyLimit'>,
  { isKnown, spend, now }: JsonReader,
) {
  const begun = new WeakMap<object, number>();
  const reader = (limit: number, limits: JsonLimits) =>
    express.json({
      limit,
      type: isJson,
      strict: false,
      verify: (request, _response, bytes, encoding) => {
        begun.set(request, now());
        if (encoding !== 'utf-8') throw bodyError('charset.unsupported');
        if (exceedsJson(bytes, limits))
          throw bodyError('entity.too.complex', { limit: limits.values });
      },
    });
  const ofVisitors = reader(Math.min(visitorBytes, bodyLimit), visitorLimits);
  const ofKnown = reader(bodyLimit, {
    values: Math.ceil(bodyLimit / bytesPerValue),
    depth: maxDepth,
  });
  return (request: Request, response: Response, next: NextFunction): void => {
    const read = isKnown(request) ? ofKnown : ofVisitors;
    read(request, response, (error?: unknown) => {
      const from = begun.get(request);
      if (from !== undefined) spend(request, now() - from);
      if (error !== undefined) bodyErrors.add(error as object);
      next(error);
    });
  };
}

const bodyErrors = new WeakSet<object>();

/** Whether an error came about while a body was read, such as that of a decoder. */
export function isBodyError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && bodyErrors.has(error);
}

function bodyError(type: string, details: { readonly limit?: number } = {}): Error {
  return Object.assign(new Error(type), { type, ...details });
}

/**
 * A body without a content type is read as JSON, because clients of One API and New API send it so.
 */
function isJson(request: { headers: { 'content-type'?: string | undefined } }): boolean {
  const type = request.headers['content-type'];
  return type === undefined || /[/+]json\b/i.test(type);
}
