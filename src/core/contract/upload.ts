/** Files that are sent with a call (docs/rules/files.md#upload-call). */
import { z } from 'zod';

/** A browser's `File` is one. */
export interface UploadFile {
  readonly name: string;
  stream(): ReadableStream<Uint8Array>;
}

/** In the order in which they were sent. The server's can be read once, one after the other. */
export type UploadFiles = Iterable<UploadFile> | AsyncIterable<UploadFile>;

/** Limits of what a call accepts. */
export interface UploadRule {
  /** The form's field, and the input's. */
  readonly field: string;
  readonly maxFiles: number;
  /** Of one file. */
  readonly maxBytes: number;
}

function isFiles(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
}

export const uploadFiles = z.custom<UploadFiles>(isFiles);

/** Images that users upload (docs/rules/files.md#limits). */
export const imageUpload = { field: 'images', maxFiles: 5, maxBytes: 10 * 1024 * 1024 } as const satisfies UploadRule;
