import { TotalText } from './money-text.tsx';
import classes from './quota-bar.module.css';

/** Below this share the bar turns orange. */
const lowShare = 0.1;

interface QuotaBarProps {
  /** Quota. */
  readonly left: number;
  /** Quota. */
  readonly used: number;
  /** Beside what is left. */
  readonly detail?: string | undefined;
  /** What the bar says to screen readers. */
  readonly label: string;
  /** It cannot be spent now. */
  readonly off?: boolean;
}

/** What is left of a quota, with a bar of its share. */
export function QuotaBar({ left, used, detail, label, off = false }: QuotaBarProps) {
  const total = left + used;
  const share = total > 0 ? Math.min(1, Math.max(0, left / total)) : 0;
  const tone = off ? 'off' : share < lowShare ? 'low' : 'ok';
  return (
    <span className={classes.quota}>
      <span className={classes.line}>
        <b>
          <TotalText quota={left} />
        </b>
        {detail !== undefined && <span className={classes.dim}>{detail}</span>}
      </span>
      <span className={classes.bar} role="img" aria-label={label}>
        <i data-tone={tone} style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  );
}
