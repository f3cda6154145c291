export { checkOptionChange } from './check-change.ts';
export { type OptionInput, parseOption, readOptionInput, writeOption } from './codec.ts';
export type { Bounds, Exposure, OptionDefinition, OptionKind } from './define.ts';
export { isBuiltOption, isOptionKey, isSecretOption } from './facts.ts';
export {
  type PanelId,
  type PanelPage,
  panelPageOf,
  panelPages,
  panels,
  panelsOf,
} from './panels.ts';
export {
  defaultOptions,
  type OptionKey,
  type OptionValue,
  type OptionValues,
  optionDefinition,
  optionKeys,
  optionRegistry,
  vendorOptionKeys,
} from './registry.ts';
export { type RuleKey, ruleKeys } from './rules.ts';
export type { ServerStatus } from './server-status.ts';
export { type StatusFacts, serverStatus } from './status-object.ts';
export { takesEntry } from './takes-entry.ts';
