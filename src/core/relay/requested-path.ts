import type { ApiFamily } from './formats/families/api-family.ts';

/** What a request's path says. */
export interface RequestedPath {
  /** Whose error bodies the caller reads. */
  readonly family: ApiFamily;
  /**
   * Who may call: holders of tokens, or signed-in users of the console. Absent: holders of tokens.
   */
  readonly login?: 'console';
  /** What it orders is kept for its user, and goes on though the user leaves. */
  readonly keepsImages?: true;
  /** Path without query. */
  readonly path: string;
  /**
   * What upstreams are sent of the path, which they do not know where it is the console's. Absent:
   * the path itself.
   */
  readonly upstreamPath?: string;
  /** The model that the path names. */
  readonly model?: string;
  /** Of a task call: the named groups of its pattern. */
  readonly params?: Readonly<Record<string, string>>;
}
