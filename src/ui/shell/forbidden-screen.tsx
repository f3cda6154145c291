import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { homePath } from '../browser/paths.ts';
import { EmptyState } from '../components/states.tsx';
import { useTranslation } from '../i18n/index.ts';

export function ForbiddenScreen() {
  const { t } = useTranslation();
  return (
    <EmptyState
      heading="h1"
      title={t('forbidden.title')}
      text={t('forbidden.text')}
      action={
        <Button component={Link} to={homePath} variant="default">
          {t('notFound.home')}
        </Button>
      }
    />
  );
}
