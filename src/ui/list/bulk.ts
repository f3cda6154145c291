/** What a list offers to do with many rows at once; the dialog itself is loaded when it opens. */
import type { BulkOutput, UndoStep } from '../../core/contract/bulk.ts';

/** Rows that were picked, or all that the filters of the list select. */
export type BulkTarget<Match> = { readonly ids: number[] } | { readonly match: Match };

/** How what is changed is entered. */
export type BulkControl =
  | { readonly kind: 'none' }
  | { readonly kind: 'names'; readonly options: readonly string[] }
  | { readonly kind: 'pair'; readonly options: readonly string[] }
  | { readonly kind: 'number'; readonly min?: number }
  | { readonly kind: 'text'; readonly hint: string }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'grant' }
  | { readonly kind: 'time'; readonly hint: string };

/** What was entered: a list of names, a number, a text; null while it is incomplete. */
export type BulkEntry = readonly string[] | number | string | null;

export interface BulkAct {
  readonly key: string;
  readonly label: string;
  readonly control: BulkControl;
  /** The change of the call. */
  readonly change: (entry: BulkEntry, remark: string) => object;
  readonly danger?: boolean;
  readonly irrevocable?: boolean;
}

interface BulkInput {
  readonly ids?: number[];
  readonly match?: object;
  readonly change?: object;
  readonly undo?: UndoStep[];
  readonly preview?: boolean;
}

export interface BulkSubject {
  readonly title: string;
  /** The title while a deletion is chosen; `title` unless given. */
  readonly deleteTitle?: string;
  readonly acts: readonly BulkAct[];
  readonly call: (input: BulkInput) => Promise<BulkOutput>;
  readonly refresh: () => Promise<unknown>;
  /** A value as people read it; undefined: as it is. */
  readonly valueText: (field: string, value: string | number) => string | undefined;
  readonly onDone: () => void;
}

/** Rows of one call. */
const pieceSize = 200;

interface Run {
  readonly changed: number;
  readonly refused: BulkOutput['refused'];
  readonly undo: UndoStep[];
  /** Rows whose call has returned. */
  readonly done: number;
  readonly failure?: unknown;
}

/** Rows refused for the same reason stand together, whichever pieces they were in. */
function together(refused: BulkOutput['refused'], more: BulkOutput['refused']) {
  const both = Map.groupBy([...refused, ...more], ({ message }) => message);
  return [...both].map(([message, [first, ...others]]) => ({
    message,
    count: others.reduce((sum, { count }) => sum + count, first?.count ?? 0),
    // A few, as of one piece.
    names: first?.names ?? [],
  }));
}

/** Makes a change in pieces. What was done before a failure stays done, and is reported. */
export async function runInPieces<T>(
  all: readonly T[],
  call: (piece: T[]) => Promise<BulkOutput>,
  onProgress: (done: number) => void,
): Promise<Run> {
  let run: Run = { changed: 0, refused: [], undo: [], done: 0 };
  for (let at = 0; at < all.length; at += pieceSize) {
    try {
      const reply = await call(all.slice(at, at + pieceSize));
      run = {
        changed: run.changed + reply.changed,
        refused: together(run.refused, reply.refused),
        undo: [...run.undo, ...reply.undo],
        done: Math.min(all.length, at + pieceSize),
      };
      onProgress(run.done);
    } catch (failure) {
      return { ...run, failure };
    }
  }
  return run;
}
