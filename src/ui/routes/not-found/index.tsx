import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { homePath } from '../../browser/paths.ts';
import { EmptyState } from '../../components/states.tsx';
import { useTranslation } from '../../i18n/index.ts';

export function NotFoundScreen() {
  const { t } = useTranslation();
  return (
    <EmptyState
      heading="h1"
      title={t('notFound.title')}
      text={t('notFound.text')}
      action={
        <Button component={Link} to={homePath} variant="default">
          {t('notFound.home')}
        </Button>
      }
    />
  );
}
