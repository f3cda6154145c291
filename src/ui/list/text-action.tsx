import classes from './text-action.module.css';

/** A row's action in words; screen readers hear which row it belongs to. */
export function TextAction({
  label,
  of,
  onClick,
  busy = false,
}: {
  label: string;
  of: string;
  onClick: () => void;
  busy?: boolean;
}) {
  return (
    <button
      type="button"
      className={classes.action}
      aria-label={`${label} ${of}`}
      disabled={busy}
      data-busy={busy || undefined}
      onClick={onClick}
    >
      {label}
    </button>
  );
}
