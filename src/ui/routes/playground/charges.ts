/**
 * What requests of the playgrounds cost: the own usage log has the exact charge, under the id of
 * the request.
 */
import { client } from '../../client/api.ts';

export interface Charge {
  /** Quota. */
  readonly quota: number;
  readonly outputTokens: number;
}

/**
 * Milliseconds until the log is read again where it has no row yet: a request that was stopped is
 * charged a little later.
 */
const delays = [0, 500, 1500, 4000];

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Undefined: the log has no row, because the request cost nothing or the site does not log. */
export async function findCharge(requestId: string): Promise<Charge | undefined> {
  for (const delay of delays) {
    if (delay > 0) await wait(delay);
    const { items } = await client.log
      .listSelf({ request_id: requestId, page_size: 1 })
      .catch(() => ({ items: [] }));
    const row = items[0];
    if (row !== undefined) return { quota: row.quota, outputTokens: row.completion_tokens };
  }
  return undefined;
}
