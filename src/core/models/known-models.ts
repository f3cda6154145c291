/** The catalogue of this process: the built-in data, and what a site adds to it. */
import { ModelCatalogue } from './catalogue.ts';
import { modelRows } from './rows/index.ts';
import { modelRules } from './rules/index.ts';
import type { ModelFacts } from './schema.ts';

export const knownModels = new ModelCatalogue({ rules: modelRules, rows: modelRows });

/** What is known of a model, by its name without a vendor before it. */
export function factsOf(model: string): ModelFacts {
  return knownModels.find(model).facts;
}

/** The name without the vendor before it (`openai/gpt-4o`) and the mark of fine-tuned ones. */
export function bareModelName(model: string): string {
  const name = model.toLowerCase();
  return name.slice(name.lastIndexOf('/') + 1).replace(/^ft:/, '');
}

/**
 * Whether a reply names another model than it was requested of: the catalogue has a row for each.
 * Other names, aliases and dated snapshots of one model are that model.
 */
export function isOtherModel(requested: string, replied: string): boolean {
  const [one, other] = [requested, replied].map(
    (name) => knownModels.find(bareModelName(name)).row,
  );
  return one !== undefined && other !== undefined && one !== other;
}
