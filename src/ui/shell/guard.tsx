/**
 * Private screens: without a stored user the visitor goes to /login and the page of origin is kept
 * (docs/rules/console.md#login-guard).
 */
import { Navigate, Outlet, useLocation } from 'react-router';
import { loginPath, useUser } from '../client/session.ts';
import { mayOpen, type ScreenAccess, screens } from '../routes.tsx';
import { ForbiddenScreen } from './forbidden-screen.tsx';

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
