/**
 * Usage logs to files and back (docs/rules/maintenance.md#archives). Each call does a part of the
 * work; all are for the operator on the gateway's machine.
 */
import { z } from '../kernel/zod.ts';
import { endpoint, seconds } from './endpoint.ts';

/** A folder's whole path, or `s3://bucket/path`. */
const place = z
  .string()
  .max(4096)
  .regex(/^(?:s3:\/\/[^/]+|\/|[A-Za-z]:[\\/])/);

export const logArchiveCalls = {
  archive: endpoint({
    method: 'POST',
    path: '/api/turnpike/log/archive',
    access: 'root',
    input: z.object({
      place,
      before: seconds,
      /** Where the file before it ended; 0: with the oldest row. */
      from: seconds.default(0),
      /** The rows stay in the database. */
      keep: z.boolean().default(false),
    }),
    /** The file; null: there are no more rows. */
    output: z
      .object({
        name: z.string(),
        rows: z.number().int(),
        /** `from` of the next call. */
        next: z.number().int(),
      })
      .nullable(),
    summary: 'Write the oldest usage logs to a file and delete them: at most 50,000',
  }),
  archives: endpoint({
    method: 'GET',
    path: '/api/turnpike/log/archive',
    access: 'root',
    input: z.object({ place }),
    output: z.array(z.object({ name: z.string(), bytes: z.number().int() })),
    summary: 'Archives of usage logs in a folder or bucket',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/turnpike/log/restore',
    access: 'root',
    input: z.object({
      place,
      name: z.string().regex(/^[^/\\]+$/),
      /** Lines that the calls before have done. */
      skip: z.number().int().min(0).default(0),
    }),
    output: z.object({
      restored: z.number().int(),
      /** Rows that were there already. */
      present: z.number().int(),
      /** Rows that the options about retention delete again. */
      expired: z.number().int(),
      /** `skip` of the next call; null: this was the end. */
      next: z.number().int().nullable(),
    }),
    summary: 'Put the rows of an archive back into the usage logs',
  }),
};
