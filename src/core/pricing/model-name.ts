const thinking = /^gemini-2\.5-(flash-lite|flash|pro).*-thinking-/;

/** `gpt-4-gizmo-g-abc` → `gpt-4-gizmo-*`: the name under which a gizmo is priced and logged (spec, billing 2 and 8). */
export function collapseGizmoName(model: string): string {
  if (model.startsWith('gpt-4-gizmo')) return 'gpt-4-gizmo-*';
  return model.startsWith('gpt-4o-gizmo') ? 'gpt-4o-gizmo-*' : model;
}

/** The family name that stands for a whole series in the price tables (spec, billing 2): gizmos and thinking budgets. */
export function wildcardName(model: string): string {
  const match = thinking.exec(model);
  return match === null ? collapseGizmoName(model) : `gemini-2.5-${match[1]}-thinking-*`;
}
