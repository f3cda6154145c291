/**
 * How a table of One API or New API becomes ours, declared as data (docs/rules/import.md#mappings).
 */
import type { Holders, ImportedRow, ImportedTable, NumberedTable } from '../../storage/storage.ts';
import type { ImportFamily } from '../../vocabulary/import-reasons.ts';
import {
  moneyToQuota,
  toBigInt,
  toDecimal,
  toDeletedAt,
  toFlag,
  toInt32,
  toInteger,
  toJsonObject,
  toSeconds,
  toText,
  toTrimmed,
} from '../convert.ts';
import type { Notes } from '../notes.ts';
import type { SourceRow, SourceValue } from '../source/source.ts';

/**
 * `integer` is the nearest safe integer and `int32` the nearest of 32 bits, where values beyond the
 * range are reported; `deleted` is a time of deletion; `json` the text of an object, or ''
 * (reported) where it is none; `trimmed` loses the padding of fixed-width columns; `money` is an
 * amount of units that becomes quota, `instant` a time that becomes Unix seconds.
 */
export type Conversion =
  | 'text'
  | 'trimmed'
  | 'integer'
  | 'int32'
  | 'decimal'
  | 'flag'
  | 'json'
  | 'deleted'
  | 'money'
  | 'instant';

export interface ColumnRule {
  /** Absent: the source's column has the same name. */
  readonly from?: string;
  readonly as: Conversion;
  /** Where the source has no such column, or null in it. Absent: 0, '' or, for deletions, null. */
  readonly missing?: string | number;
}

export interface MappingContext {
  readonly family: ImportFamily;
  /** Unix seconds. */
  readonly now: number;
  /** The source's QuotaPerUnit; of sources that count in units, this site's. */
  readonly quotaPerUnit: number;
  /** The source's AutoGroups: where tokens of group `auto` look for a channel. */
  readonly autoGroups: readonly string[];
  /** What the site has already. */
  readonly holders: Holders;
  readonly hasUser: (id: number) => boolean;
}

export type DraftRow = Record<string, string | number | null>;

export interface MappedRow {
  readonly row: DraftRow;
  /** Rows of other tables that come with it. */
  readonly others?: readonly { readonly table: ImportedTable; readonly row: ImportedRow }[];
}

export interface TableMapping {
  readonly source: string;
  readonly target: NumberedTable;
  readonly columns: Readonly<Record<string, ColumnRule>>;
  /** Columns of the source that `refine` reads, or that nothing is lost without. */
  readonly alsoRead: readonly string[];
  /** Columns whose sums are compared after the import. */
  readonly figures: readonly string[];
  /** The column that names a row's user, where sums are compared per user, too. */
  readonly user?: string;
  /**
   * Columns of ours by which a row whose id is taken is known as the same row from an earlier run:
   * all of them are equal, or with `sameByAny` one of them.
   */
  readonly same: readonly string[];
  readonly sameByAny?: boolean;
  /**
   * Rules that need several columns or rows, made anew for each run. Null: the row is left out, and
   * a note says why.
   */
  refine?(
    context: MappingContext,
    notes: Notes,
  ): (draft: DraftRow, source: SourceRow) => MappedRow | null;
}

/** The row as the rules have it. */
export function convertRow(
  mapping: TableMapping,
  source: SourceRow,
  quotaPerUnit: number,
  notes: Notes,
): DraftRow {
  const draft: DraftRow = {};
  for (const [column, rule] of Object.entries(mapping.columns)) {
    const value = source[rule.from ?? column];
    draft[column] =
      (value === undefined || value === null) && rule.missing !== undefined
        ? rule.missing
        : convert(value, rule.as, quotaPerUnit, (reason) =>
            notes.add(reason, `${toText(source['id'])} ${column}`),
          );
  }
  return draft;
}

function convert(
  value: SourceValue | undefined,
  as: Conversion,
  quotaPerUnit: number,
  note: (reason: 'number_out_of_range' | 'invalid_json' | 'amount_rounded') => void,
): string | number | null {
  switch (as) {
    case 'text':
      return toText(value);
    case 'trimmed':
      return toTrimmed(value);
    case 'integer':
    case 'int32': {
      const integer = as === 'integer' ? toInteger(value) : toInt32(value);
      if (BigInt(integer) !== toBigInt(value)) note('number_out_of_range');
      return integer;
    }
    case 'money': {
      const { quota, isExact } = moneyToQuota(value, quotaPerUnit);
      const integer = toInteger(quota);
      if (BigInt(integer) !== quota) note('number_out_of_range');
      if (!isExact) note('amount_rounded');
      return integer;
    }
    case 'instant':
      return toSeconds(value);
    case 'decimal':
      return toDecimal(value);
    case 'flag':
      return toFlag(value);
    case 'deleted':
      return toDeletedAt(value);
    case 'json': {
      const text = toJsonObject(value);
      if (text === undefined) note('invalid_json');
      return text ?? '';
    }
  }
}
