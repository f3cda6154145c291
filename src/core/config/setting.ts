/** What a row of the process settings says, and the kinds of values. */
import { z } from '../kernel/zod.ts';

/** `true`/`1`/`t` and `false`/`0`/`f` in any case (docs/rules/process.md#configuration-order). */
export const flag = z.union([
  z.boolean(),
  z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(['true', '1', 't', 'false', '0', 'f']))
    .transform((text) => text === 'true' || text === '1' || text === 't'),
]);
export const whole = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  z
    .union([
      z.number(),
      z
        .string()
        .trim()
        .regex(/^-?\d+$/)
        .transform(Number),
    ])
    .pipe(z.number().int().min(min).max(max));
export const text = z.string();
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

export interface Setting<T> {
  /** Name on the command line without the dashes; absent: environment only. */
  readonly flag?: string;
  /**
   * Environment variables of One API / New API, read after the setting's `TURNPIKE_` variable; the
   * first one set applies.
   */
  readonly names: readonly string[];
  readonly schema: z.ZodType<T, unknown>;
  readonly fallback: NoInfer<T>;
  /** A sentence for the help text and the documentation. */
  readonly summary: string;
  /** The allowed values, for error messages: `1-9`, `on, off`. */
  readonly allowed?: string;
  /** Never printed, not even in an error message about its value. */
  readonly secret?: boolean;
}

export const setting = <T>(row: Setting<T>): Setting<T> => row;
