import type { FieldPick } from './fields.ts';
import { QuickPicks } from './quick-picks.tsx';

interface PicksProps<T> {
  readonly label: string;
  readonly picks: readonly FieldPick<T>[] | undefined;
  readonly onChange: (value: unknown) => void;
}

/** Frequent values under a field; nothing where it has none. */
export function Picks<T>({ label, picks = [], onChange }: PicksProps<T>) {
  if (picks.length === 0) return null;
  return (
    <QuickPicks
      label={label}
      picks={picks.map((pick) => ({ label: pick.label, onPick: () => onChange(pick.valueOf()) }))}
    />
  );
}
