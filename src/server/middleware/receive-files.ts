/**
 * Files of a `multipart/form-data` body, passed on while they arrive
 * (docs/rules/files.md#upload-call).
 */
import { on } from 'node:events';
import { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import type { UploadFile, UploadFiles } from '../../core/contract/upload.ts';
import { AppError } from '../../core/kernel/errors.ts';
import type { UploadRule } from '../../core/vocabulary/image-upload.ts';

/** Besides the files a form may have a few short fields, which are ignored. */
const maxFields = 20;
const otherBytes = 1024 * 1024;
/**
 * What is still read of a refused body, so that browsers, which read no reply while they send, get
 * to read it.
 */
const drainMs = 15_000;

type FileEvent = [name: string, stream: Readable, info: busboy.FileInfo];

const mostBytes = ({ maxFiles, maxBytes }: UploadRule): number => maxFiles * maxBytes + otherBytes;

/**
 * Nothing is read before the first file is requested. Each file must be read, or the iteration
 * ended, before the next is requested. Iterating throws AppError invalid_form, request_too_large;
 * there is none of `rule.field` in a body that is no form.
 */
export async function* receiveFiles(
  request: Request,
  rule: UploadRule,
): UploadFiles & AsyncGenerator<UploadFile> {
  if (request.is('multipart/form-data') === false) return;
  const parser = openParser(request, rule);
  // A file whose turn has not come may break, too.
  parser.on('file', (_name, stream) => stream.on('error', () => undefined));
  const events = on(parser, 'file', { close: ['close'] }) as AsyncIterableIterator<FileEvent>;
  const gone = () => {
    if (!request.complete)
      parser.destroy(new AppError('invalid_form', { detail: 'it is cut off' }));
  };
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes(rule))
      parser.destroy(
        new AppError('request_too_large', { limit: Math.floor(mostBytes(rule) / otherBytes) }),
      );
  };
  request.once('close', gone);
  request.on('data', count);
  request.pipe(parser);
  try {
    for await (const [name, stream, { filename }] of events) {
      if (name !== rule.field) stream.resume();
      else yield { name: (filename as string | undefined) ?? '', stream: () => streamOf(stream) };
    }
  } catch (error) {
    throw asFormError(error);
  } finally {
    request.off('close', gone);
    request.off('data', count);
    request.unpipe(parser);
    parser.on('error', () => undefined);
  }
}

/** The bytes of a file. Reading throws AppError invalid_form where the body breaks. */
function streamOf(file: Readable): ReadableStream<Uint8Array> {
  const read = async function* () {
    try {
      yield* file;
    } catch (error) {
      throw asFormError(error);
    }
  };
  return Readable.toWeb(Readable.from(read())) as ReadableStream<Uint8Array>;
}

function openParser(request: Request, { maxBytes }: UploadRule): busboy.Busboy {
  try {
    const limits = { fields: maxFields, fieldSize: otherBytes, fileSize: maxBytes + 1 };
    return busboy({ headers: request.headers, limits, defParamCharset: 'utf8' });
  } catch (error) {
    throw new AppError(
      'invalid_form',
      { detail: 'the content type names no boundary' },
      { cause: error },
    );
  }
}

function asFormError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  return new AppError('invalid_form', { detail: 'it is malformed or cut off' }, { cause: error });
}

/**
 * Reads the rest of a refused body, within limits. Resolves with whether the body has ended, so
 * that the connection can stay.
 */
export async function drainBody(request: Request, rule: UploadRule): Promise<boolean> {
  if (request.complete || request.destroyed) return request.complete;
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, drainMs);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes(rule)) stop();
    });
    request.once('end', stop).once('close', stop).resume();
  });
  return request.complete;
}
