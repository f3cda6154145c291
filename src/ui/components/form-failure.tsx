/** Why the last attempt of a form failed: stays at the form until the next one. */
import { Text } from '@mantine/core';
import { failureText } from '../client/failures.ts';

interface FormFailureProps {
  /** Of the form's call, whose mutation is `quiet`; null: it has not failed. */
  readonly error: unknown;
  /** What else to say, as that the call may have been carried out all the same. */
  readonly beside?: string | undefined;
}

export function FormFailure({ error, beside }: FormFailureProps) {
  if (error === null || error === undefined) return null;
  return (
    <Text role="alert" mt={16} fz={13} c="var(--tp-red-text)" style={{ overflowWrap: 'anywhere' }}>
      {failureText(error)}
      {beside !== undefined && ` · ${beside}`}
    </Text>
  );
}
