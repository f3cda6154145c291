/**
 * The URL's parameters of a drawer (docs/rules/console.md#drawers), and whether it is being closed
 * on purpose.
 */

export const drawerParameters = ['new', 'edit'] as const;

/** Closing a drawer goes back in the history, which must not be taken for the back button. */
export const drawerClosing = { current: false };

/** Whether a change of the URL closes the drawer, or shows another thing in it. */
export function leavesDrawer(before: string, after: string): boolean {
  const from = new URLSearchParams(before);
  const to = new URLSearchParams(after);
  return drawerParameters.some((name) => from.has(name) && from.get(name) !== to.get(name));
}
