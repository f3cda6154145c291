/** A server that plays a payment provider, closed after the test or the file that started it. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEachFile, afterEachTest } from './hooks.ts';
import { late } from './slow.ts';

export type Lifetime = 'test' | 'file';

const servers: Record<Lifetime, Server[]> = { test: [], file: [] };

async function closeAll(lifetime: Lifetime): Promise<void> {
  for (const server of servers[lifetime].splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
afterEachTest(() => closeAll('test'));
afterEachFile(() => closeAll('file'));

/** Returns its address on this machine. */
export async function startProvider(
  listener: RequestListener,
  lifetime: Lifetime,
): Promise<string> {
  const server = createServer((request, response) => {
    void late(0, 300).then(() => listener(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers[lifetime].push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
