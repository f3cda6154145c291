import type { ReactNode } from 'react';
import { EmptyState } from '../components/states.tsx';
import classes from './message-screen.module.css';

/** A whole page that only says something: not found, forbidden, failed. */
export function MessageScreen({
  title,
  text,
  action,
}: {
  title: string;
  text: string;
  action: ReactNode;
}) {
  return (
    <main className={classes.root}>
      <EmptyState title={title} text={text} action={action} heading="h1" />
    </main>
  );
}
