import { AppError } from '../../kernel/errors.ts';
import { invalidRule, readRules } from './rule-reader.ts';

export type ModelMapping = Readonly<Record<string, string>>;

/**
 * `model_mapping`, requested → upstream name. Throws AppError json_object_required, channel_rule_invalid,
 * model_mapping_cycle.
 */
export function readModelMapping(text: string): ModelMapping {
  const mapping = readRules(text, 'model_mapping');
  for (const [model, target] of Object.entries(mapping)) {
    if (typeof target !== 'string') throw invalidRule(`model_mapping.${model}`, 'rule.text');
  }
  for (const model of Object.keys(mapping)) mapModel(model, mapping as ModelMapping);
  return mapping as ModelMapping;
}

/**
 * Chains are followed to their end; a name that maps to itself, or to nothing, is its own end (spec, relay 12). Throws
 * AppError('model_mapping_cycle') where a chain never ends.
 */
export function mapModel(model: string, mapping: ModelMapping): string {
  let name = model;
  const seen = new Set([model]);
  while (Object.hasOwn(mapping, name)) {
    const next = mapping[name] ?? name;
    if (next === name || next === '') return name;
    if (seen.has(next)) throw new AppError('model_mapping_cycle', { model });
    seen.add(next);
    name = next;
  }
  return name;
}
