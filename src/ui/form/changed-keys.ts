/**
 * Names of the fields whose values differ, which are the only ones that are sent; lists are
 * compared with their order.
 */
export function changedKeys<V extends object>(before: V, after: V): readonly (keyof V & string)[] {
  return (Object.keys(after) as (keyof V & string)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
}
