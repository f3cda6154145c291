import { Collapse } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './channel.module.css';

/** A part of a form that is opened where it is needed. Its children are made only then. */
export function Folded({
  title,
  hint,
  open,
  onToggle,
  children,
}: {
  title: string;
  hint: string;
  open: boolean;
  onToggle: () => void;
  children: () => ReactNode;
}) {
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <>
      <button type="button" className={classes.advanced} aria-expanded={open} onClick={onToggle}>
        <Icon size={14} aria-hidden="true" />
        {title}
        <span className={classes.foldHint}>{hint}</span>
      </button>
      <Collapse expanded={open} transitionDuration={120}>
        <div className={classes.advancedFields}>{open && children()}</div>
      </Collapse>
    </>
  );
}
