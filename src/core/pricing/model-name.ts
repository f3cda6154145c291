import { modelOfSnapshot } from '../models/snapshot.ts';

const thinking = /^gemini-2\.5-(flash-lite|flash|pro).*-thinking-/;

/**
 * The name under which a GPT gizmo is priced and logged: `gpt-4-gizmo-g-abc` → `gpt-4-gizmo-*`
 * (docs/rules/pricing.md#wildcard-names).
 */
export function collapseGizmoName(model: string): string {
  if (model.startsWith('gpt-4-gizmo')) return 'gpt-4-gizmo-*';
  return model.startsWith('gpt-4o-gizmo') ? 'gpt-4o-gizmo-*' : model;
}

/**
 * The wildcard name that prices a whole series: gizmos and thinking budgets
 * (docs/rules/pricing.md#wildcard-names).
 */
export function wildcardName(model: string): string {
  const match = thinking.exec(model);
  return match === null ? collapseGizmoName(model) : `gemini-2.5-${match[1]}-thinking-*`;
}

/**
 * The model that a name with a date or a budget of thinking stands for, which it costs as much as
 * (docs/rules/pricing.md#dated-names). Undefined: the name has neither.
 */
export function modelNamed(name: string): string | undefined {
  const match = thinking.exec(name);
  return match === null ? modelOfSnapshot(name) : `gemini-2.5-${match[1]}`;
}
