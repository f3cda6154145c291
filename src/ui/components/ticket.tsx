/**
 * The ticket: hairline border, torn edge (two half-moon notches and a dashed line), total below the
 * tear.
 */
import type { ReactNode } from 'react';
import classes from './ticket.module.css';

interface TicketProps {
  readonly children: ReactNode;
  /** Below the tear. */
  readonly foot: ReactNode;
  readonly label?: string;
}

export function Ticket({ children, foot, label }: TicketProps) {
  return (
    <section className={classes.root} aria-label={label}>
      <div className={classes.body}>{children}</div>
      <div className={classes.tear} aria-hidden="true" />
      <div className={classes.foot}>{foot}</div>
    </section>
  );
}
