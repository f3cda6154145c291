/**
 * `multipart/form-data` bodies of callers: uploads to audio and image calls
 * (docs/rules/relay.md#form-bodies).
 */
import busboy from 'busboy';
import type { MediaFile } from '../../canonical/calls.ts';
import { type FormEntry, writeMultipart } from '../../canonical/kit/multipart.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { isDecisive, isDecisiveText } from './decisive-fields.ts';
import { type BodyMedia, noMedia } from './media-scan.ts';
import type { BodyEdits, FormFile, JsonKind, RequestBody, WireBody } from './request-body.ts';

/** Media types by the ending of a file's name, for parts of forms without one. */
const types: Readonly<Record<string, string>> = {
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  mpeg: 'audio/mpeg',
  mpga: 'audio/mpeg',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  webm: 'audio/webm',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

/** Undefined for names with another ending. */
function mediaTypeOfName(filename: string): string | undefined {
  return types[filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()];
}

/**
 * Parts a form may have: ten images, a mask and every field that any of these calls knows fit many
 * times over.
 */
const maxParts = 200;

interface FormField {
  readonly name: string;
  readonly value: string;
}

export function isForm(contentType: string | undefined): contentType is string {
  return contentType?.trim().toLowerCase().startsWith('multipart/form-data') ?? false;
}

/** A form with every part in memory, so that each attempt can send it whole. */
class FormBody implements RequestBody {
  readonly isForm = true;
  readonly bytes: Buffer;
  readonly files: readonly FormFile[];
  readonly #contentType: string;
  readonly #fields: readonly FormField[];

  constructor(
    bytes: Buffer,
    contentType: string,
    fields: readonly FormField[],
    files: readonly FormFile[],
  ) {
    this.bytes = bytes;
    this.#contentType = contentType;
    this.#fields = fields;
    this.files = files;
  }

  get media(): BodyMedia {
    const bytes = this.files.reduce((sum, { file }) => sum + file.bytes.length, 0);
    return { ...noMedia, parts: this.files.length, bytes };
  }

  has(name: string): boolean {
    return this.#fields.some((field) => field.name === name);
  }

  /** A field's text; of a repeated one the last, as of a repeated key in JSON. */
  get(name: string): string | undefined {
    return this.#fields.findLast((field) => field.name === name)?.value;
  }

  kind(name: string): JsonKind | undefined {
    return this.has(name) ? 'string' : undefined;
  }

  names(): Iterable<string> {
    return [...this.#fields, ...this.files].map(({ name }) => name);
  }

  parse(): Record<string, JsonValue> {
    const fields = new Map<string, string | string[]>();
    for (const { name, value } of this.#fields) {
      const earlier = fields.get(name);
      fields.set(name, earlier === undefined ? value : [earlier, value].flat());
    }
    return Object.fromEntries(fields);
  }

  /** `model` first, the other texts in their order, then the files; a new boundary. */
  write(edits?: BodyEdits): WireBody {
    if (edits === undefined) return { bytes: this.bytes, contentType: this.#contentType };
    const texts: FormEntry[] = [];
    const kept = this.#fields
      .filter(({ name }) => !Object.hasOwn(edits, name))
      .map(({ name, value }): FormEntry => [name, value]);
    for (const [name, value] of Object.entries(edits)) {
      if (value !== undefined)
        texts.push([name, typeof value === 'string' ? value : JSON.stringify(value)]);
    }
    const entries = [...kept, ...texts].sort(
      ([a], [b]) => Number(b === 'model') - Number(a === 'model'),
    );
    const files = this.files.map(({ name, file }): FormEntry => [name, file]);
    return writeMultipart([...entries, ...files]);
  }
}

/**
 * Reads a whole form. Throws AppError('invalid_form', {detail}) without a boundary, where it is
 * malformed or cut off, where it has too many parts, or where a field by which it is priced is
 * there twice.
 */
export function readForm(bytes: Buffer, contentType: string): Promise<FormBody> {
  return new Promise((resolve, reject) => {
    const fail = (detail: string, cause?: unknown) =>
      reject(new AppError('invalid_form', { detail }, { cause }));
    let parser: busboy.Busboy;
    try {
      // Parts are bounded by the body, whose size was checked.
      const limits = { parts: maxParts, fieldSize: bytes.length + 1, fileSize: bytes.length + 1 };
      parser = busboy({
        headers: { 'content-type': contentType },
        limits,
        defParamCharset: 'utf8',
      });
    } catch (error) {
      return fail('the content type names no boundary', error);
    }
    const fields: FormField[] = [];
    const files: FormFile[] = [];
    const seen = new Set<string>();
    const isRepeated = (name: string) => {
      const known = seen.has(name.toUpperCase());
      seen.add(name.toUpperCase());
      return known && isDecisive(name);
    };
    parser.on('field', (name: string | undefined, value) => {
      if (name === undefined) return fail('a part has no name');
      if (isRepeated(name)) return fail(`${name} is given twice`);
      fields.push({ name, value });
    });
    parser.on('file', (name: string | undefined, stream, info) => {
      if (name === undefined) fail('a part has no name');
      else if (isDecisiveText(name)) fail(`${name} is a file`);
      else if (isRepeated(name)) fail(`${name} is given twice`);
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', () => undefined); // the parser reports it
      stream.on('end', () =>
        files.push({
          name: name ?? '',
          file: describeFile(
            info,
            chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks),
          ),
        }),
      );
    });
    parser.on('partsLimit', () => fail(`more than ${maxParts} parts`));
    parser.on('error', (error) => fail('it is malformed or cut off', error));
    parser.on('close', () => resolve(new FormBody(bytes, contentType, fields, files)));
    parser.end(bytes);
  });
}

/** The part's own media type, else the one its name stands for. */
function describeFile(info: busboy.FileInfo, bytes: Buffer): MediaFile {
  const filename: string = (info.filename as string | undefined) || 'file';
  const declared =
    info.mimeType === 'application/octet-stream' || info.mimeType === 'text/plain'
      ? undefined
      : info.mimeType;
  return { filename, mediaType: declared ?? mediaTypeOfName(filename) ?? info.mimeType, bytes };
}
