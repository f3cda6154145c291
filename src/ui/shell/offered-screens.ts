import type { ServerStatus } from '../queries/use-status.ts';
import { mayOpen, type ScreenRoute, screens } from '../routes.tsx';

/** The screens of the sidebar that a role may see (undefined: a visitor) and that are switched on. */
export function offeredScreens(
  role: number | undefined,
  status: ServerStatus | undefined,
): readonly ScreenRoute[] {
  // What is switched off has nothing to show (docs/rules/console.md#shell).
  const hidden = new Set([
    ...(status?.enable_data_export === false ? ['/detail'] : []),
    ...(status?.enable_drawing === false ? ['/midjourney'] : []),
    ...(status?.enable_task === false ? ['/task', '/playground/video'] : []),
  ]);
  return screens.filter(
    ({ path, sidebar, access }) =>
      sidebar !== undefined && mayOpen(access, role) && !hidden.has(path),
  );
}
