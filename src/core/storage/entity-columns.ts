import type { Generated } from 'kysely';
import type { ColumnName, Field, Fields } from '../entities/field.ts';

type Stored<F extends Field> = F extends { kind: 'text' | 'list' | 'json' } ? string : number;
type Column<F extends Field> = F extends { nullable: true }
  ? Stored<F> | null
  : F extends { generated: true } | { default: unknown }
    ? Generated<Stored<F>>
    : Stored<F>;

/** The columns of a declared entity as SQL sees them. Secrets have columns of the repository's choice. */
export type ColumnsOf<F extends Fields> = { [N in ColumnName<F>]: Column<F[N]> };
