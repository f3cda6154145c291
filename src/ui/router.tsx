/** The router, made from the table of screens. */
import { createBrowserRouter, type RouteObject, redirect } from 'react-router';
import { loadTextPart } from './i18n/index.ts';
import { type ScreenRoute, screens } from './routes.tsx';
import { CrashScreen } from './shell/crash-screen.tsx';
import { Guard } from './shell/guard.tsx';
import { LateScreen } from './shell/late-screen.tsx';
import { Root } from './shell/root.tsx';
import { Shell } from './shell/shell.tsx';

const lazyRoute = ({ path, screen, texts = [] }: ScreenRoute): RouteObject => {
  const load = async () => {
    const [Component] = await Promise.all([screen(), ...texts.map(loadTextPart)]);
    return Component;
  };
  return {
    path,
    // A route that does not load would take the shell away, and stay blank until the page is left.
    lazy: async () => ({
      Component: await load().catch(() => () => <LateScreen load={load} />),
    }),
    ErrorBoundary: CrashScreen,
  };
};

const of = (access: ScreenRoute['access'], inShell = access !== 'visitor') =>
  screens
    .filter(
      (route) => route.access === access && (route.inShell ?? access !== 'visitor') === inShell,
    )
    .map(lazyRoute);

export function createConsoleRouter() {
  return createBrowserRouter([
    {
      Component: Root,
      ErrorBoundary: CrashScreen,
      HydrateFallback: () => null,
      children: [
        // Links in mails of One API and New API.
        {
          path: '/user/reset',
          loader: ({ request }) => redirect(`/reset${new URL(request.url).search}`),
        },
        ...of('visitor'),
        {
          Component: Shell,
          children: [
            ...of('visitor', true),
            { element: <Guard access="user" />, ErrorBoundary: CrashScreen, children: of('user') },
            {
              element: <Guard access="admin" />,
              ErrorBoundary: CrashScreen,
              children: of('admin'),
            },
            { element: <Guard access="root" />, ErrorBoundary: CrashScreen, children: of('root') },
            lazyRoute({
              path: '*',
              access: 'visitor',
              screen: async () => (await import('./routes/not-found/index.tsx')).NotFoundScreen,
            }),
          ],
        },
      ],
    },
  ]);
}
