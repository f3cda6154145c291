/** Orders of images as the gateway keeps them (docs/rules/tasks.md#images). */
import { taskResults } from '../../../../core/contract/task-results.ts';
import { client } from '../../../client/api.ts';

const daySeconds = 86_400;
/** Newest orders that are looked through. */
const pageSize = 100;

/**
 * The images of an order by what its page called it; undefined: not kept yet, or not to be known
 * now. The clocks of browser and site may differ by a day.
 */
export async function findKept(
  key: string,
  sentAt: number,
): Promise<{ readonly images: readonly string[]; readonly quota: number } | undefined> {
  try {
    const { items } = await client.task.listSelf({
      platform: 'image',
      page_size: pageSize,
      start_timestamp: Math.floor(sentAt / 1000) - daySeconds,
    });
    const task = items.find(({ properties }) => properties['key'] === key);
    return task && { images: taskResults(task).map(({ image }) => image), quota: task.quota };
  } catch {
    return undefined;
  }
}

/** Whether it is one that the gateway keeps, by its signed path. */
export const isKeptImage = (address: string): boolean => address.startsWith('/pg/images/');
