/**
 * One change of many rows (docs/rules/console-api.md#bulk-changes): planned for each row by itself,
 * so that a row that refuses does not hold up the others.
 */
import { AppError } from '../kernel/errors.ts';

export type BulkValues = Readonly<Record<string, string | number>>;

/** What a change is to one row: only fields that differ, under the names of the API. */
export interface BulkStep {
  readonly id: number;
  readonly name: string;
  readonly from: BulkValues;
  readonly to: BulkValues;
}
export interface BulkRefusal {
  readonly id: number;
  readonly name: string;
  readonly error: AppError;
}
export interface BulkUndo {
  readonly ids: readonly number[];
  readonly from: BulkValues;
  readonly to: BulkValues;
}

export interface BulkRequest<Match, Change> {
  readonly ids?: readonly number[] | undefined;
  readonly match?: Match | undefined;
  readonly change?: Change | undefined;
  readonly undo?: readonly BulkUndo[] | undefined;
  readonly preview: boolean;
}

/** What a kind of row knows of itself. */
export interface BulkKind<Row extends { readonly id: number }, Match, Change> {
  find(ids: readonly number[]): Promise<readonly Row[]>;
  /** At most `limit`. */
  matching(match: Match, limit: number): Promise<readonly Row[]>;
  nameOf(row: Row): string;
  /** The row's values of fields, and what a change makes of them. Throws what the row refuses. */
  plan(row: Row, change: Change): Pick<BulkStep, 'from' | 'to'>;
  /** The fields that can be taken back. */
  readonly undoable: readonly string[];
  valuesOf(row: Row): BulkValues;
  /** The values that a row goes back to, checked. Throws what the row refuses. */
  restore(row: Row, to: BulkValues): BulkValues;
  /** Writes steps whose rows still are as planned; returns the others. */
  write(steps: readonly BulkStep[], change: Change | undefined): Promise<readonly BulkRefusal[]>;
}

export interface BulkResult<Row> {
  readonly matched: number;
  /** Those that a preview would take, or that were taken. */
  readonly steps: readonly BulkStep[];
  readonly refused: readonly BulkRefusal[];
  readonly undo: readonly BulkUndo[];
  /** All that were named or match, as they were. */
  readonly rows: readonly Row[];
}

/** The most rows that one filter may select. */
const mostRows = 20_000;

/**
 * Plans the change, and makes it unless it is a preview. Throws AppError invalid_parameter unless
 * the request names rows in exactly one way, and bulk_too_many.
 */
export async function runBulk<Row extends { readonly id: number }, Match, Change extends object>(
  kind: BulkKind<Row, Match, Change>,
  { ids, match, change, undo, preview }: BulkRequest<Match, Change>,
): Promise<BulkResult<Row>> {
  if ([ids, match, undo].filter((one) => one !== undefined).length !== 1)
    throw new AppError('invalid_parameter', { field: 'ids' });
  // What is changed is what a preview has shown, not what matches by now.
  if (match !== undefined && !preview) throw new AppError('invalid_parameter', { field: 'match' });
  const isEmpty =
    undo === undefined && Object.values(change ?? {}).every((value) => value === undefined);
  if (isEmpty || (undo !== undefined && change !== undefined))
    throw new AppError('invalid_parameter', { field: 'change' });
  const rows =
    match === undefined
      ? await kind.find([...new Set(ids ?? undo?.flatMap((step) => step.ids) ?? [])])
      : await kind.matching(match, mostRows + 1);
  if (rows.length > mostRows) throw new AppError('bulk_too_many', { max: mostRows });
  const { steps, refused } =
    undo === undefined
      ? planEach(rows, kind.nameOf, (row) => kind.plan(row, change ?? ({} as Change)))
      : planUndo(rows, kind, undo);
  if (preview) return { matched: rows.length, steps, refused, undo: [], rows };
  const failed = await kind.write(steps, change);
  const unwritten = new Set(failed.map(({ id }) => id));
  const done = steps.filter(({ id }) => !unwritten.has(id));
  return {
    matched: rows.length,
    steps: done,
    refused: [...refused, ...failed],
    undo: undoOf(done, kind.undoable),
    rows,
  };
}

function planEach<Row extends { readonly id: number }>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  plan: (row: Row) => Pick<BulkStep, 'from' | 'to'>,
): { readonly steps: readonly BulkStep[]; readonly refused: readonly BulkRefusal[] } {
  const steps: BulkStep[] = [];
  const refused: BulkRefusal[] = [];
  for (const row of rows) {
    const name = nameOf(row);
    try {
      const { from, to } = plan(row);
      const differ = Object.keys(to).filter((field) => from[field] !== to[field]);
      if (differ.length > 0)
        steps.push({ id: row.id, name, from: pick(from, differ), to: pick(to, differ) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ id: row.id, name, error });
    }
  }
  return { steps, refused };
}

/** A row goes back only where it still is what the change made of it. */
function planUndo<Row extends { readonly id: number }>(
  rows: readonly Row[],
  kind: Pick<BulkKind<Row, never, never>, 'nameOf' | 'undoable' | 'valuesOf' | 'restore'>,
  undo: readonly BulkUndo[],
) {
  const byId = new Map(undo.flatMap((step) => step.ids.map((id) => [id, step] as const)));
  return planEach(rows, kind.nameOf, (row) => {
    const step = byId.get(row.id);
    if (step === undefined) return { from: {}, to: {} };
    const unknown = Object.keys({ ...step.from, ...step.to }).find(
      (field) => !kind.undoable.includes(field),
    );
    if (unknown !== undefined) throw new AppError('invalid_parameter', { field: unknown });
    const now = kind.valuesOf(row);
    if (!isAs(now, step.from)) throw new AppError('conflict');
    return { from: now, to: kind.restore(row, step.to) };
  });
}

/**
 * Writes steps one after the other, each by itself. A step that fails does not hold up the others:
 * what is not refused by a rule goes to `report`.
 */
export async function writeEach(
  steps: readonly BulkStep[],
  write: (step: BulkStep) => Promise<unknown>,
  report: (error: unknown) => void,
): Promise<readonly BulkRefusal[]> {
  const refused: BulkRefusal[] = [];
  for (const step of steps) {
    try {
      await write(step);
    } catch (error) {
      const isRule = error instanceof AppError;
      // Nothing was written: the whole call fails, as that for one row would.
      if (!isRule && refused.length === 0 && step === steps[0]) throw error;
      if (!isRule) report(error);
      refused.push({
        id: step.id,
        name: step.name,
        error: isRule ? error : new AppError('internal_error'),
      });
    }
  }
  return refused;
}

const pick = (values: BulkValues, fields: readonly string[]): BulkValues =>
  Object.fromEntries(
    fields.flatMap((field) => (field in values ? [[field, values[field] ?? '']] : [])),
  );

/** Whether a row has these values. */
export const isAs = (now: BulkValues, expected: BulkValues): boolean =>
  Object.entries(expected).every(([field, value]) => now[field] === value);

function undoOf(steps: readonly BulkStep[], undoable: readonly string[]): readonly BulkUndo[] {
  const back = steps.flatMap(({ id, from, to }) => {
    const fields = Object.keys(to).filter((field) => undoable.includes(field));
    return fields.length === 0 ? [] : [{ id, from: pick(to, fields), to: pick(from, fields) }];
  });
  return [...Map.groupBy(back, ({ from, to }) => JSON.stringify([from, to])).values()].flatMap(
    (same) => {
      const [first] = same;
      return first === undefined
        ? []
        : [{ ids: same.map(({ id }) => id), from: first.from, to: first.to }];
    },
  );
}

/** Fields whose values are lists with commas: people read what is added and removed. */
const lists: readonly string[] = ['models', 'groups'];

export interface FieldDifference {
  readonly field: string;
  readonly from: string | number;
  readonly to: string | number;
  readonly added: string[];
  readonly removed: string[];
}

/** A step as people read it. */
export function differencesOf({ from, to }: Pick<BulkStep, 'from' | 'to'>): FieldDifference[] {
  return Object.entries(to).map(([field, value]) => {
    const before = from[field] ?? '';
    if (!lists.includes(field)) return { field, from: before, to: value, added: [], removed: [] };
    const [old, next] = [before, value].map((list) => String(list).split(',').filter(Boolean));
    return {
      field,
      from: '',
      to: '',
      added: (next ?? []).filter((name) => !old?.includes(name)),
      removed: (old ?? []).filter((name) => !next?.includes(name)),
    };
  });
}
