import { CircleAlert } from 'lucide-react';
import { CallError } from '../../../../core/contract/envelope.ts';
import { failureText } from '../../../client/failures.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from '../login.module.css';

/** Why a call failed; nothing without an error. */
export function ResetProblem({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (error === null) return null;
  const answered = error instanceof CallError && error.status > 0;
  return (
    <p className={classes.problem} role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      {answered ? failureText(error) : t('reset.failed')}
    </p>
  );
}
