/**
 * What opens on demand, loaded when the first row is opened or its cost pointed at: the list must
 * be there first.
 */

import { Skeleton } from '@mantine/core';
import { type ComponentProps, Suspense } from 'react';
import { latePart } from '../../client/late-part.ts';

const loadTicket = () => import('../../components/price-ticket.tsx');
const Details = latePart(async () => ({ default: (await import('./log-details.tsx')).LogDetails }));
const Ticket = latePart(async () => ({ default: (await loadTicket()).PriceTicket }));

/** Begins to load the ticket. A failure is shown where the ticket is opened. */
export function preloadTicket(): void {
  void loadTicket().catch(() => undefined);
}

const loading = <Skeleton height={120} radius={8} />;

export function LogDetails(props: ComponentProps<typeof Details>) {
  return (
    <Suspense fallback={loading}>
      <Details {...props} />
    </Suspense>
  );
}

export function PriceTicket(props: ComponentProps<typeof Ticket>) {
  return (
    <Suspense fallback={loading}>
      <Ticket {...props} />
    </Suspense>
  );
}
