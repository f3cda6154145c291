/** Where toasts appear; what draws them is loaded with the first one. */
import { useNotifications } from '@mantine/notifications';
import { useLate } from '../hooks/use-late.ts';

const load = async () => (await import('./toaster.tsx')).Toaster;

export function Toasts() {
  const { notifications } = useNotifications();
  const Toaster = useLate(load, { wish: notifications.length, quiet: true });
  return Toaster !== undefined && <Toaster />;
}
