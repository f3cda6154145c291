/** Lines of a form. */
import type { ReactNode } from 'react';
import classes from './form-rows.module.css';

/** Two columns that become one on phones. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>;
}

/** A switch with its explanation, on a line of its own. */
export function SwitchRow({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <div className={classes.switchRow}>
      <div className={classes.titles}>
        <div className={classes.title}>{title}</div>
        {hint !== undefined && <div className={classes.hint}>{hint}</div>}
      </div>
      {children}
    </div>
  );
}
