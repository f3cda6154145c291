/** Lines of a form. */
import type { ReactNode } from 'react';
import { Whole } from '../components/whole.tsx';
import classes from './form-rows.module.css';

/** Two columns that become one on phones. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>;
}

interface SwitchRowProps {
  readonly title: string;
  readonly hint?: string | undefined;
  /** Where links to the switch lead. */
  readonly id?: string;
  readonly children: ReactNode;
}

/** A switch with its explanation, on a line of its own. */
export function SwitchRow({ title, hint, id, children }: SwitchRowProps) {
  return (
    <div className={classes.switchRow} id={id}>
      <div className={classes.titles}>
        <div className={classes.title}>{title}</div>
        {hint !== undefined && (
          <div className={classes.hint}>
            <Whole text={hint} />
          </div>
        )}
      </div>
      {children}
    </div>
  );
}
