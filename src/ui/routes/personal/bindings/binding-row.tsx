import type { ReactNode } from 'react';
import classes from './bindings.module.css';

interface BindingRowProps {
  readonly icon: ReactNode;
  readonly name: string;
  readonly value: string;
  readonly isBound?: boolean;
  /** Buttons. */
  readonly children: ReactNode;
}

export function BindingRow({ icon, name, value, isBound, children }: BindingRowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.icon}>{icon}</span>
      <span className={classes.name}>{name}</span>
      <span className={classes.value} data-bound={isBound || undefined}>
        {value}
      </span>
      <span className={classes.actions}>{children}</span>
    </li>
  );
}
