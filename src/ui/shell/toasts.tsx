/** Where toasts appear; what draws them is loaded with the first one. */
import { useNotifications } from '@mantine/notifications';
import { lazy, Suspense, useState } from 'react';

const Toaster = lazy(async () => ({ default: (await import('./toaster.tsx')).Toaster }));

export function Toasts() {
  const { notifications } = useNotifications();
  const [used, setUsed] = useState(false);
  if (!used && notifications.length > 0) setUsed(true);
  return <Suspense fallback={null}>{used && <Toaster />}</Suspense>;
}
