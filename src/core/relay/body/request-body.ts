/** A caller's body, read in the same way whether it is JSON or a form. */

import type { MediaFile } from '../../canonical/calls.ts';
import type { BodyFields } from '../../canonical/pass-through.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { BodyMedia } from './media-scan.ts';

export type JsonKind = 'string' | 'array' | 'object' | 'boolean' | 'null' | 'number';

export type BodyEdits = Readonly<Record<string, JsonValue | undefined>>;

/** Reads a top-level field of a body with its edits applied. */
export type FieldReader = (name: string) => JsonValue | undefined;

export interface FormFile {
  /** Name of the part: `file`, `image`, `image[]`, `mask`. */
  readonly name: string;
  readonly file: MediaFile;
}

export const noFiles: readonly FormFile[] = [];

/** A body ready to be sent. */
export interface WireBody {
  readonly bytes: Buffer;
  /** Undefined: JSON. */
  readonly contentType?: string;
}

export interface RequestBody extends BodyFields {
  readonly bytes: Buffer;
  /** Every value of a form is text. */
  readonly isForm: boolean;
  /** What in it is not text. */
  readonly media: BodyMedia;
  /** Empty for JSON. */
  readonly files: readonly FormFile[];
  kind(name: string): JsonKind | undefined;
  /** Of all fields. */
  names(): Iterable<string>;
  /**
   * The fields as one object; of a form its texts. Throws SyntaxError when JSON is malformed
   * inside.
   */
  parse(): Record<string, JsonValue>;
  /**
   * The body for an upstream, with top-level fields set (undefined: removed). No edits: unchanged.
   */
  write(edits?: BodyEdits): WireBody;
}
