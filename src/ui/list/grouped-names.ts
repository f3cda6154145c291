/** Different names that a question shows. */
const most = 8;

/** Names of rows, equal ones once with their number: `bulk × 24, main, …`. */
export function groupedNames(names: readonly string[], joint: string): string {
  const groups = [...Map.groupBy(names, (name) => name)].map(([name, same]) =>
    same.length > 1 ? `${name} × ${same.length}` : name,
  );
  return [...groups.slice(0, most), ...(groups.length > most ? ['…'] : [])].join(joint);
}
