import { AppError } from '../../kernel/errors.ts';
import { invalidRule, readRules } from './rule-reader.ts';

export type ModelMapping = Readonly<Record<string, string>>;

/**
 * `model_mapping`, requested → upstream name. Throws AppError json_object_required,
 * channel_rule_invalid, model_mapping_cycle.
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
 * The upstream name of a model. Chains are followed until a name maps to itself or has no entry
 * (docs/rules/channel-rules.md#model-mapping). Throws AppError('model_mapping_cycle') for an
 * endless chain.
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
