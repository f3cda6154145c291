import type { ApiFamily } from './formats/families/api-family.ts';

/** What a request's path says. */
export interface RequestedPath {
  /** Whose error bodies the caller reads. */
  readonly family: ApiFamily;
  /** Path without query. */
  readonly path: string;
  /** The model that the path names. */
  readonly model?: string;
  /** Of a task call: the named groups of its pattern. */
  readonly params?: Readonly<Record<string, string>>;
}
