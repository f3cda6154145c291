/**
 * Private screens: without a stored user the visitor goes to /login and the page of origin is kept
 * (docs/rules/console.md#login-guard).
 */

import { Button } from '@mantine/core';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import { homePath } from '../browser/paths.ts';
import { loginPath, useUser } from '../client/session.ts';
import { EmptyState } from '../components/states.tsx';
import { useTranslation } from '../i18n/index.ts';
import { mayOpen, type ScreenAccess, screens } from '../routes.tsx';

function ForbiddenScreen() {
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

export function Guard({ access }: { access: Exclude<ScreenAccess, 'visitor'> }) {
  const user = useUser();
  const { pathname, search } = useLocation();
  if (user === null)
    return <Navigate to={loginPath()} replace state={{ from: `${pathname}${search}` }} />;
  if (!mayOpen(access, user.role)) {
    const instead = screens.find(({ path }) => path === pathname)?.instead;
    return instead === undefined ? <ForbiddenScreen /> : <Navigate to={instead} replace />;
  }
  // Another user, who signed in in another tab: nothing on the screen is theirs.
  return <Outlet key={user.id} />;
}
