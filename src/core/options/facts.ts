/**
 * What forms need of the options: their declarations without schemas and default values. The
 * console's build replaces the registry that is imported here by this data, so that a browser shows
 * the settings without zod (docs/rules/console.md#first-load).
 */
import type { OptionDefinition } from './define.ts';
import { type OptionKey, optionRegistry } from './registry.ts';

export { type PanelId, type PanelPage, panelPageOf, panelPages, panelsOf } from './panels.ts';
export type { OptionKey } from './registry.ts';

export type OptionFacts = Omit<OptionDefinition, 'schema' | 'default'>;

const facts: Readonly<Record<OptionKey, OptionFacts>> = optionRegistry;

/** In the order of their declarations. */
export const declaredOptions = Object.keys(facts) as readonly OptionKey[];

export function optionFacts(key: OptionKey): OptionFacts {
  return facts[key];
}

export function isOptionKey(text: string): text is OptionKey {
  return Object.hasOwn(facts, text);
}

/** Whether the option is written but never returned (docs/rules/options.md#secrets). */
export function isSecretOption(key: OptionKey): boolean {
  return facts[key].exposure === 'secret';
}

/** Whether the option has an effect in this release. Clients offer only these. */
export function isBuiltOption(key: OptionKey): boolean {
  return facts[key].built;
}
