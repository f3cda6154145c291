/** A message pusher that keeps the notices to the owner of a site. */
import type { Client } from '../../src/core/contract/client.ts';
import { startProvider } from './provider-server.ts';

export interface OwnerNotice {
  readonly title: string;
  readonly description: string;
}

/** Points a site at a new pusher. Returns the notices that it got, in order. */
export async function collectOwnerNotices(operator: Client): Promise<OwnerNotice[]> {
  const notices: OwnerNotice[] = [];
  const url = await startProvider(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    notices.push(JSON.parse(body) as OwnerNotice);
    response.setHeader('content-type', 'application/json').end('{"success":true}');
  }, 'test');
  await operator.option.set({ key: 'MessagePusherAddress', value: url });
  return notices;
}
