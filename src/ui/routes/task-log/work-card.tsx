import { ChevronDown, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TaskView } from '../../../core/tasks/task-view.ts';
import { clockTime, dayText } from '../../hooks/use-time-text.ts';
import classes from './task-log.module.css';
import { ActionTag, Charge, Duration, Progress, WorkStatus } from './work-cells.tsx';

interface WorkCardProps {
  readonly row: TaskView;
  /** What was ordered, in a line. */
  readonly name: string;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly details: ReactNode;
}

/** A row on a phone; its details open inside the card. */
export function WorkCard({ row, name, open, onToggle, details }: WorkCardProps) {
  const Chevron = open ? ChevronDown : ChevronRight;
  const second = [`${dayText(row.submitted)} ${clockTime(row.submitted)}`, row.entity.username]
    .filter(Boolean)
    .join(' · ');
  return (
    <>
      <button type="button" className={classes.card} aria-expanded={open} onClick={onToggle}>
        <span className={classes.cardLine}>
          <span className={classes.cardName}>{name || row.publicId || `#${row.entity.id}`}</span>
          <Chevron size={16} strokeWidth={1.75} aria-hidden="true" />
        </span>
        <span className={classes.cardLine}>
          <ActionTag action={row.entity.action} />
          <WorkStatus row={row} plain />
          {row.isRunning ? <Progress row={row} /> : <Duration row={row} />}
        </span>
        <span className={classes.cardSecond}>
          <span>{second}</span>
          <Charge row={row} />
        </span>
      </button>
      {open && details}
    </>
  );
}
