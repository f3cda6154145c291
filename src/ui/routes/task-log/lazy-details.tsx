/** What opens on demand, loaded when the first row is opened: the list must be there first. */

import { Skeleton } from '@mantine/core';
import { type ComponentProps, Suspense } from 'react';
import { latePart } from '../../client/late-part.ts';

const load = () => import('./work-details.tsx');
const Drawing = latePart(async () => ({ default: (await load()).DrawingDetails }));
const Task = latePart(async () => ({ default: (await load()).TaskDetails }));

const loading = <Skeleton height={120} radius={8} />;

export function DrawingDetails(props: ComponentProps<typeof Drawing>) {
  return (
    <Suspense fallback={loading}>
      <Drawing {...props} />
    </Suspense>
  );
}

export function TaskDetails(props: ComponentProps<typeof Task>) {
  return (
    <Suspense fallback={loading}>
      <Task {...props} />
    </Suspense>
  );
}
