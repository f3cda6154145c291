import classes from './quick-picks.module.css';

interface QuickPick {
  readonly label: string;
  readonly onPick: () => void;
}

/** Frequent values under a field. */
export function QuickPicks({ picks, label }: { picks: readonly QuickPick[]; label: string }) {
  return (
    <fieldset className={classes.row} aria-label={label}>
      {picks.map((pick) => (
        <button key={pick.label} type="button" className={classes.pick} onClick={pick.onPick}>
          {pick.label}
        </button>
      ))}
    </fieldset>
  );
}
