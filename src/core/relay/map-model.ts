/** `model_mapping`: requested → upstream name, chains followed to their end (spec, relay 12). */
import { AppError } from '../kernel/errors.ts';

/** A name that maps to itself is its own end. Throws AppError('model_mapping_cycle') where a chain never ends. */
export function mapModel(model: string, mapping: Readonly<Record<string, string>>): string {
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
