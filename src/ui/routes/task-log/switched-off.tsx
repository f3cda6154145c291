import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../../components/states.tsx';
import { useTranslation } from '../../i18n/index.ts';

/** Instead of a list of what the operator has switched off; the sidebar does not lead here then. */
export function SwitchedOff({ what }: { what: 'drawings' | 'tasks' }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      heading="h1"
      title={t(`taskLog.${what}.off`)}
      text={t('taskLog.off.text')}
      action={
        <Button component={Link} to="/log">
          {t('taskLog.off.action')}
        </Button>
      }
    />
  );
}
