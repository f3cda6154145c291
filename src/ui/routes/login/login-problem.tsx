import { CircleAlert } from 'lucide-react';
import classes from './login.module.css';

/** Why a login failed; `mild` for a notice. */
export function LoginProblem({
  text,
  mild,
}: {
  readonly text: string | undefined;
  readonly mild?: boolean;
}) {
  if (text === undefined) return null;
  return (
    <p className={classes.problem} data-mild={mild || undefined} role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      {text}
    </p>
  );
}
