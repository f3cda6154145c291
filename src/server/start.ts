import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, createApp } from '../core/app.ts';
import type { ProviderRegistry } from '../core/canonical/registry.ts';
import { openDataFolder } from '../core/config/data-folder.ts';
import { gatewayDataOf, removeGatewayFile, writeGatewayFile } from '../core/config/gateway-file.ts';
import type { Config } from '../core/config/schema.ts';
import { systemIds } from '../core/config/system-ids.ts';
import { type Logger, partOf } from '../core/kernel/logger.ts';
import { Secret } from '../core/kernel/secret.ts';
import { openSite } from '../core/maintenance/open-site.ts';
import { type AccessLog, createAccessLog } from './access-log.ts';
import { findConsole } from './console.ts';
import { createExpressApp } from './express-app.ts';
import { createHttpServer } from './http-server.ts';
import { keepAssets, keptAssetsIn } from './kept-assets.ts';

export interface StartOptions {
  readonly logger: Logger;
  readonly version: string;
  readonly onListening?: (url: string) => void;
  /** Folder of the built console; absent: the default places. */
  readonly consoleFolder?: string;
  /** Absent: the built-in providers. */
  readonly providers?: ProviderRegistry | undefined;
  /** Milliseconds that replies under way have when it stops; absent: 30 s. */
  readonly drainMs?: number | undefined;
  /** Gets a line for each request; absent: nothing is done for any. */
  readonly accessLog?: ((line: string) => void) | undefined;
  /** Absent: the only process of this data folder. */
  readonly place?: Place | undefined;
}

/** A process among several that share a port and a data folder, which another one has opened. */
export interface Place {
  /** From 1; no two that run have the same. */
  readonly number: number;
  readonly operatorKey: Secret;
  /** While the site is not set up; absent: the first one makes it. */
  readonly setupCode?: string | undefined;
}

export interface Gateway {
  readonly url: string;
  readonly dataDir: string;
  /** Other gateways of the database that share no limits with this one. */
  readonly separate: readonly { readonly host: string; readonly address: string }[];
  /** The setup code to show in the terminal; absent once the site is set up. */
  readonly setupCode?: string | undefined;
  /**
   * Rejects when the database thread has died; the process must then exit. Completed replies are
   * billed, others are free.
   */
  readonly died: Promise<never>;
  /** Resolves when it is to stop and nothing is under way any more: then it is to be closed. */
  readonly stopped: Promise<void>;
  /**
   * Is not ready for the configured `stopDelay`, and serves meanwhile: balancers see it before
   * requests are refused. Nothing where it was drained. Never rejects.
   */
  leave(): Promise<void>;
  /**
   * Drains: new requests are refused with 503, streams finish within `drainMs`, everything is
   * settled and written (docs/rules/process.md#stop).
   */
  close(): Promise<void>;
}

/** A gateway in a process of its own, or one process among several. */
export interface GatewayProcess extends Gateway {
  /**
   * Takes no new connections, which go to the other processes, serves what comes on those it has,
   * and closes once they have ended.
   */
  retire(): Promise<void>;
}

const defaultDrainMs = 30_000;
/** Milliseconds after the start until this build's console is kept for pages of later ones. */
const keepAfter = 60_000;

function keepConsole(config: Config, { consoleFolder, ...options }: StartOptions): NodeJS.Timeout {
  const logger = partOf(options.logger, 'server');
  const keep = async () => {
    const files = findConsole(consoleFolder);
    if (files === undefined) return;
    await keepAssets(join(files.folder, 'assets'), keptAssetsIn(config), files.build);
  };
  const warn = (error: unknown) =>
    logger.warn({ error }, 'the files of the console could not be kept for the next version');
  return setTimeout(() => void keep().catch(warn), keepAfter).unref();
}

function openAccess(
  { clientAddress }: App,
  write: StartOptions['accessLog'],
): AccessLog | undefined {
  if (write === undefined) return undefined;
  const addressOf = ({ socket, headers }: IncomingMessage) => {
    const forwarded = headers['x-forwarded-for'];
    return clientAddress.find(socket.remoteAddress, forwarded?.toString());
  };
  return createAccessLog({ write, addressOf });
}

/** Starts the gateway. Throws what {@link openSite} throws; listen errors as they come. */
export async function startGateway(
  settings: Config,
  options: StartOptions,
): Promise<GatewayProcess> {
  const { place } = options;
  const config = { ...settings, setupToken: place?.setupCode ?? settings.setupToken };
  const { folder, lock } =
    place === undefined
      ? await openSite(config, { migrates: true })
      : { folder: openDataFolder(config), lock: undefined };
  try {
    const { logger, version, providers, drainMs = defaultDrainMs } = options;
    const { promise: died, reject: onDatabaseDeath } = Promise.withResolvers<never>();
    died.catch(() => undefined); // the caller may ignore it
    const app = await createApp({
      config,
      folder,
      logger,
      version,
      providers,
      threads: true,
      onDatabaseDeath,
      worker: place?.number,
    });
    const operatorKey = place?.operatorKey ?? new Secret(systemIds.base64url(32));
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      if (!app.relay.gateway.handle(request, response)) express(request, response);
    };
    const access = openAccess(app, options.accessLog);
    const http = createHttpServer(
      access === undefined
        ? handle
        : (request, response) => {
            access.watch(request, response);
            handle(request, response);
          },
      app.nodes.isLeaving,
    );
    const { server } = http;
    const isStopping = () => http.draining;
    const express = createExpressApp({
      app,
      operatorKey,
      consoleFolder: options.consoleFolder,
      isStopping,
    });
    server.on('upgrade', (request, socket: Socket, head) => {
      access?.watchUpgrade(request, socket);
      app.relay.gateway.handleUpgrade(request, socket, head);
    });
    let url: string;
    try {
      url = await listen(server, config);
    } catch (error) {
      await app.close();
      throw error;
    }
    app.setListening({ url, port: (server.address() as AddressInfo).port });
    await app.nodes.begin(url);
    const separate = await app.nodes.listSeparate().catch(() => []); // the job looks again
    if (place === undefined)
      writeGatewayFile(config.dataDir, {
        url,
        pid: process.pid,
        key: operatorKey,
        data: gatewayDataOf(config),
      });
    options.onListening?.(url);
    app.notices.sms.warnOfLogSender();
    app.jobs.start();
    const keeping = keepConsole(config, options);
    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      clearTimeout(keeping);
      if (place === undefined) removeGatewayFile(config.dataDir);
      await Promise.all([app.jobs.stop(), http.drain(drainMs, app.relay.gateway.drain(drainMs))]);
      await app.close();
      lock?.release();
    };
    const closeOnce = () => {
      closing ??= close();
      return closing;
    };
    return {
      url,
      dataDir: config.dataDir,
      separate,
      setupCode: app.setup.shownCode(),
      died,
      stopped: app.nodes.stopped,
      leave: async () => {
        if (config.stopDelay === 0 || app.nodes.isLeaving()) return;
        app.nodes.leave();
        await sleep(config.stopDelay * 1000);
      },
      close: closeOnce,
      retire: async () => {
        await http.retire();
        await closeOnce();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Resolves with the address to use on this machine: loopback for a wildcard address. */
async function listen(
  server: Server,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  const name =
    host === '0.0.0.0'
      ? '127.0.0.1'
      : host === '::'
        ? '[::1]'
        : host.includes(':')
          ? `[${host}]`
          : host;
  return `http://${name}:${actual}`;
}
