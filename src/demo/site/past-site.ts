/**
 * The gateway's core on a data folder, in this process and at a time in the past. Everything goes
 * through the program's own API and relay, so balances, postings, log rows and hourly sums agree
 * with each other.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { actorFrom } from '../../core/accounts/actor-from.ts';
import { createApp } from '../../core/app.ts';
import { loadConfig } from '../../core/config/load.ts';
import { type Client, createClient } from '../../core/contract/client.ts';
import { silentLogger } from '../../core/kernel/logger.ts';
import { openSite } from '../../core/maintenance/open-site.ts';
import { createLocalTransport } from '../../server/local-client.ts';
import type { HistoryClock } from './history-clock.ts';

export interface PastSite {
  /** A client with operator rights. */
  readonly operator: Client;
  /** Acts as a user. */
  as(userId: number): Promise<Client>;
  /** A notice of the Epay gateway, signed. */
  reportPayment(fields: Readonly<Record<string, string>>): Promise<void>;
  /** Where the relay listens. */
  readonly url: string;
  close(): Promise<void>;
}

/** Throws AppError data_folder_locked when another process works on the folder. */
export async function openPastSite(dataDir: string, clock: HistoryClock): Promise<PastSite> {
  const { config } = loadConfig({
    flags: { 'data-dir': dataDir, durability: 'normal' },
    environment: {},
    cwd: dataDir,
  });
  const { folder, lock } = await openSite(config, { migrates: true });
  const app = await createApp({
    config,
    folder,
    logger: silentLogger,
    version: 'demo',
    threads: false,
    clock,
  });
  const server = createServer((request, response) => {
    if (!app.relay.gateway.handle(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    operator: createClient(createLocalTransport(app, undefined, 'en')),
    as: async (userId) =>
      createClient(
        createLocalTransport(app, actorFrom(await app.accounts.own.get(userId), '127.0.0.1'), 'en'),
      ),
    reportPayment: (fields) => app.payments.epay.notice(fields),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await app.close();
      lock.release();
    },
  };
}
