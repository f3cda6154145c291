import { Notifications } from '@mantine/notifications';

/** Four at once; the others wait. */
export function Toaster() {
  return <Notifications position="bottom-right" limit={4} />;
}
