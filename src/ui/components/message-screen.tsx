import type { ReactNode } from 'react';
import classes from './message-screen.module.css';
import { EmptyState } from './states.tsx';

/** A whole page that only says something: not found, forbidden, failed. */
export function MessageScreen({ title, text, action }: { title: string; text: string; action: ReactNode }) {
  return (
    <main className={classes.root}>
      <EmptyState title={title} text={text} action={action} heading="h1" />
    </main>
  );
}
