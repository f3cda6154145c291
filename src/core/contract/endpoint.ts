/**
 * How one call of the HTTP API is declared; server, client, OpenAPI document and guards derive from
 * it.
 */

import { defaultPageSize, maxPageSize } from '../kernel/page.ts';
import { z } from '../kernel/zod.ts';
import type { UploadRule } from '../vocabulary/image-upload.ts';
import type { WayIn } from '../vocabulary/ways-in.ts';

/** Who may call: visitor; signed-in user (role ≥ 1); admin (≥ 10); root (100). */
export type Access = 'visitor' | 'user' | 'admin' | 'root';

/**
 * The envelope of the output (docs/rules/console-api.md#envelopes): `data` in the `data` key of the
 * envelope; `list` the same, but a bare array with the number of all rows in `X-Total-Count`,
 * `{items, total}` for handlers and clients; `flat` its keys beside `success` and `message`; `code`
 * the `{code, message, data}` envelope of `/public` and `/users`; `payment` `{message, data}`, with
 * message `success` or `error`, and the output's other keys beside them; `order` as `data`, with
 * message `success`, and the text of a failure in `data` as well; `file` no envelope, but a
 * download ({@link FileOutput}); only its failures have the envelope of `data`.
 */
export type Shape = 'data' | 'list' | 'flat' | 'code' | 'payment' | 'order' | 'file';

/**
 * A download that is produced while it is read. A reader that stops ends the iteration, and with
 * it the work.
 */
export interface FileOutput {
  readonly name: string;
  /** Media type with charset. */
  readonly type: string;
  /** Records without the header; undefined: not known. It may be an estimate. */
  readonly total?: number | undefined;
  readonly chunks: AsyncIterable<string>;
}

export interface Endpoint<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /**
   * Express form: `/api/channel/:id`. Parameters are fields of the input; `*name` at the end is a
   * text that may contain slashes.
   */
  readonly path: string;
  readonly access: Access;
  readonly input: I;
  readonly output: O;
  readonly summary: string;
  readonly shape?: Shape;
  /** Input fields that are sent in the query although the call has a body. */
  readonly query?: readonly string[];
  /** Stricter limit than the global one (docs/rules/security.md#rate-limits). */
  readonly rate?: 'critical';
  /**
   * Needs a passed human check while that is on; the token is the input `turnstile`
   * (docs/rules/accounts.md#human-check).
   */
  readonly humanCheck?: boolean;
  /**
   * A GET that changes data: it gets a POST twin and rejects requests from other sites
   * (docs/rules/console-api.md#get-twins).
   */
  readonly changes?: boolean;
  /**
   * The ways into an account that it changes or prepares a change of, with all that belongs to that
   * (docs/rules/accounts.md#ways-in).
   */
  readonly waysIn?: readonly WayIn[];
  /**
   * A call for visitors: what a login without the user-id header is, which images and links of our
   * own pages bring along, too: ignored, or an error (docs/rules/console-api.md#get-twins). Absent:
   * it counts.
   */
  readonly withoutUserId?: 'visitor' | 'refused';
  /** `console`: only a login of the console; system access tokens are refused. */
  readonly login?: 'console';
  /**
   * The body is a form with files, which are the input of this name
   * (docs/rules/files.md#upload-call).
   */
  readonly upload?: UploadRule;
  /** Largest JSON body in bytes; default 1 MB. */
  readonly bodyLimit?: number;
  /** Pages of any site may read the reply. Cookies are ignored. */
  readonly cors?: boolean;
  /** Failures keep their own HTTP status instead of 200 (docs/rules/console-api.md#statuses). */
  readonly keepsStatus?: boolean;
  /** HTTP status of a body that is not JSON; default 200 with `success: false`. */
  readonly malformedStatus?: number;
}

export function endpoint<I extends z.ZodObject, O extends z.ZodType, S extends Shape = 'data'>(
  declaration: Omit<Endpoint<I, O>, 'shape'> & { readonly shape?: S },
): Endpoint<I, O> & { readonly shape: S } {
  return { ...declaration, shape: (declaration.shape ?? 'data') as S };
}

/** The output that a handler returns and a client receives. */
export type OutputOf<E extends Endpoint> = E['shape'] extends 'list'
  ? { readonly items: z.input<E['output']>; readonly total: number }
  : E['shape'] extends 'file'
    ? FileOutput
    : z.input<E['output']>;
export type InputOf<E extends Endpoint> = z.input<E['input']>;
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>;

export type EndpointGroup = Readonly<Record<string, Endpoint>>;

// ---- fields that many calls share
// -------------------------------------------------------------------------------

export const nothing = z.object({});
export const id = z.coerce.number<number>().int().positive();
export const byId = z.object({ id });
/** The ids that a batch call may contain. */
export const ids = z.array(id).min(1).max(1000);
export const seconds = z.coerce.number<number>().int().min(0);
/** A code such as a status or a type. Its column has 32 bits. */
export const code = z.coerce
  .number<number>()
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1);
/** A bound of an amount of quota, which may be negative. */
export const quotaBound = z.coerce.number<number>().int();
export const queryBoolean = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0', ''])])
  .transform((value) => value === true || value === 'true' || value === '1');

/** A page number or size that falls back instead of failing (docs/rules/console-api.md#paging). */
const lenient = (fallback: number, min: number, max: number) =>
  z
    .union([z.number(), z.string()])
    .optional()
    .transform((value) => {
      const number = Math.trunc(Number(value ?? Number.NaN));
      if (!Number.isFinite(number)) return fallback;
      return number < min
        ? min === 1 && number <= 0 && max !== Number.MAX_SAFE_INTEGER
          ? fallback
          : min
        : Math.min(number, max);
    });

/** P1: pages from 1, `{items, total, page, page_size}`. */
export const pageQuery = z.object({
  p: lenient(1, 1, Number.MAX_SAFE_INTEGER),
  page_size: lenient(defaultPageSize, 1, maxPageSize),
});
/** PR: as P1, but the page is `page` (top-up records). */
export const recordQuery = z.object({
  page: pageQuery.shape.p,
  page_size: pageQuery.shape.page_size,
});
/** P0: pages from 0, bare array. */
export const pageQueryFromZero = z.object({
  p: lenient(0, 0, Number.MAX_SAFE_INTEGER),
  page_size: lenient(defaultPageSize, 1, maxPageSize),
});
export const pageQueryFromZeroBySize = z.object({
  p: lenient(0, 0, Number.MAX_SAFE_INTEGER),
  size: lenient(defaultPageSize, 1, maxPageSize),
});

/** PV: pages from 1, of at most 50 (videos). */
export const videoPageQuery = z.object({
  pageNum: lenient(1, 1, Number.MAX_SAFE_INTEGER),
  pageSize: lenient(defaultPageSize, 1, 50),
});

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    total: z.number().int(),
    page: z.number().int(),
    page_size: z.number().int(),
  });
}

/** Integer quota on the wire. */
export const quotaField = z.number().int();
