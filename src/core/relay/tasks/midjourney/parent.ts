/** The task that an order continues. */
import type { Midjourney } from '../../../storage/storage.ts';
import type { CallerContext } from '../../context.ts';
import type { OrderFields } from './read-order.ts';
import { DrawingRefusal } from './refusal.ts';

/**
 * Null: the order begins anew. Throws DrawingRefusal: not the caller's, not finished, or its
 * channel is switched off.
 */
export async function findParent(
  context: CallerContext,
  { parentId, action }: OrderFields,
): Promise<Midjourney | null> {
  if (parentId === '') return null;
  const { deps, caller, policy } = context;
  const parent = await deps.storage.midjourneys.findByMjId(parentId, caller.userId);
  if (parent === null) throw new DrawingRefusal('task_not_found');
  // The window of a task is open before it is finished.
  if (policy.drawings.needsSuccess && action !== 'MODAL' && parent.status !== 'SUCCESS')
    throw new DrawingRefusal('task_status_not_success');
  return parent;
}
