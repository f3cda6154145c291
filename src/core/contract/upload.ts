/** Files that are sent with a call (docs/rules/files.md#upload-call). */
import { z } from '../kernel/zod.ts';

/** A browser's `File` is one. */
export interface UploadFile {
  readonly name: string;
  stream(): ReadableStream<Uint8Array>;
}

/** In the order in which they were sent. The server's can be read once, one after the other. */
export type UploadFiles = Iterable<UploadFile> | AsyncIterable<UploadFile>;

function isFiles(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value)
  );
}

export const uploadFiles = z.custom<UploadFiles>(isFiles);
