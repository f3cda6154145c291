/** What a site adds to the catalogue, as it is stored (docs/rules/models.md#added-data). */
import type { z } from '../kernel/zod.ts';
import type { CatalogueData } from './catalogue.ts';
import { modelRow, modelRule } from './schema.ts';

/** As the option has it: objects of which nothing is known yet. */
export interface StoredAdditions {
  readonly rules: readonly unknown[];
  readonly rows: readonly unknown[];
}

const valid = <T>(schema: z.ZodType<T>, values: readonly unknown[]): T[] =>
  values.flatMap((value) => schema.safeParse(value).data ?? []);

/** The rules and rows that have the catalogue's form; others are left out. */
export function readAdditions({ rules, rows }: StoredAdditions): CatalogueData {
  return { rules: valid(modelRule, rules), rows: valid(modelRow, rows) };
}
