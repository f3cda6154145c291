/**
 * The events of a background response, from any of them on, until it has ended
 * (docs/rules/responses.md#background-streams).
 */
import { once } from 'node:events';
import type { CallerContext } from '../context.ts';
import { streamHeaders } from '../reply.ts';

/** `after`: number of the last event that the client has; −1: none. */
export async function sendEvents(
  context: CallerContext,
  responseId: string,
  after: number,
): Promise<void> {
  const { deps, caller, client, response, requestId, policy, route } = context;
  const key = { userId: caller.userId, responseId };
  const signal = client.signal();
  response.writeHead(200, streamHeaders(requestId));
  // Headers are sent with the first bytes, and the next event may be far.
  response.write(route.family.keepAlive);
  const ping =
    policy.pingInterval === 0
      ? undefined
      : setInterval(() => response.write(route.family.keepAlive), policy.pingInterval).unref();
  try {
    let last = after;
    for (;;) {
      const page = await deps.background.events(key, last);
      for (const { number, event } of page.events) {
        const text = `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
        if (!response.write(text)) await once(response, 'drain', { signal });
        last = number;
      }
      if (page.ended) break;
      if (page.events.length === 0) await page.changed(signal);
    }
    response.end();
  } catch (error) {
    if (client.departure === undefined) throw error;
    // The work goes on; the client can read on later.
    response.destroy();
  } finally {
    clearInterval(ping);
  }
}
