import { readAdditions } from '../models/added.ts';
import { knownModels } from '../models/known-models.ts';
import type { OptionValues } from '../options/index.ts';

/**
 * Keeps the process's catalogue of models at what the site has learned
 * (docs/rules/models.md#added-data).
 */
export function createAddedModels(): (values: OptionValues) => void {
  let known = '';
  return (values) => {
    const { rules, rows } = values['model_sync.learned'];
    const next = rules.length + rows.length === 0 ? '' : JSON.stringify([rules, rows]);
    if (next === known) return;
    known = next;
    knownModels.replaceAdded(readAdditions({ rules, rows }));
  };
}
