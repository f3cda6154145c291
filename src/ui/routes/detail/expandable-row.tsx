/** A row of a table whose name opens further rows below it. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import classes from './margins.module.css';

interface Props {
  readonly name: string;
  /** The cells beside the name. */
  readonly figures: ReactNode;
  /** The rows below, made when it is open. */
  readonly rows: () => ReactNode;
}

export function ExpandableRow({ name, figures, rows }: Props) {
  const [open, setOpen] = useState(false);
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <>
      <tr>
        <th scope="row">
          <button
            type="button"
            className={classes.open}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
            <span title={name}>{name}</span>
          </button>
        </th>
        {figures}
      </tr>
      {open && rows()}
    </>
  );
}
