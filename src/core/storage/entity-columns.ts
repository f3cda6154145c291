import type { Generated } from 'kysely';
import type { ColumnName, Field, Fields } from '../entities/field.ts';

type Stored<F extends Field> = F extends { kind: 'text' | 'list' | 'json' } ? string : number;
type Column<F extends Field> = F extends { nullable: true }
  ? Stored<F> | null
  : F extends { generated: true } | { default: unknown }
    ? Generated<Stored<F>>
    : Stored<F>;

type NameOfColumn<Name, F extends Field> = F extends { column: infer Own extends string }
  ? Own
  : Name;

/**
 * The columns of a declared entity as SQL sees them. Secrets have columns of the repository's
 * choice.
 */
export type ColumnsOf<F extends Fields> = {
  [N in ColumnName<F> as NameOfColumn<N, F[N]>]: Column<F[N]>;
};
