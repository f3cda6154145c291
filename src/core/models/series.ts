/** Names that stand for a series of models, as in One API and New API: one price, one route. */

/** What names of the series begin with. */
const series: readonly (readonly [start: string, name: string])[] = [
  ['gpt-4-gizmo', 'gpt-4-gizmo-*'],
  ['gpt-4o-gizmo', 'gpt-4o-gizmo-*'],
];

/** The name of the series that a model belongs to; another model's own (docs/rules/pricing.md#wildcard-names). */
export function seriesName(model: string): string {
  return series.find(([start]) => model.startsWith(start))?.[1] ?? model;
}

/** A budget of thinking behind the name: `gemini-2.5-flash-thinking-4096`. */
const budgeted = /^(gemini-2\.5-(?:flash-lite|flash|pro)).*-thinking-/;

/** The model in a name with a budget of thinking; undefined: it has none. */
export function modelWithBudget(name: string): string | undefined {
  return budgeted.exec(name)?.[1];
}
