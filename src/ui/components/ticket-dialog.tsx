/** A dialog that shows new secrets, once, on a ticket. */

import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Ticket } from './ticket.tsx';
import classes from './ticket-dialog.module.css';

interface SecretLine {
  readonly text: string;
  /** Above the secret, where there are several kinds. */
  readonly name?: string | undefined;
  readonly copyLabel: string;
}

interface TicketDialogProps {
  readonly title: string;
  readonly hint: string;
  readonly size: number;
  readonly secrets: readonly SecretLine[];
  /** Buttons. */
  readonly foot: ReactNode;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

export function TicketDialog({
  title,
  hint,
  size,
  secrets,
  foot,
  children,
  onClose,
}: TicketDialogProps) {
  return (
    <Dialog
      opened
      onClose={onClose}
      size={size}
      withCloseButton={false}
      styles={{ body: { padding: 0 } }}
      attributes={{ content: { 'aria-label': title } }}
    >
      <div className={classes.ticket}>
        <Ticket label={title} foot={<div className={classes.foot}>{foot}</div>}>
          <h2 className={classes.title}>
            <Check size={16} color="var(--tp-ok-text)" aria-hidden="true" /> {title}
          </h2>
          <p className={classes.hint}>{hint}</p>
          <ul className={classes.keys}>
            {secrets.map(({ text, name, copyLabel }) => (
              <li key={text}>
                {name !== undefined && <span>{name}</span>}
                <code>{text}</code>
                <CopyButton text={text} label={copyLabel} />
              </li>
            ))}
          </ul>
          {children}
        </Ticket>
      </div>
    </Dialog>
  );
}
