/** The HTTP server, and how it stops (docs/rules/process.md#stop). */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActiveList } from '../core/kernel/active-list.ts';

export interface DrainableServer {
  readonly server: Server;
  /** New requests are to be refused. */
  readonly draining: boolean;
  /**
   * Listens no more, and resolves once its connections have ended: after the reply to the next
   * request of each, or when they have been idle for as long as they may be; after ten minutes at
   * the latest.
   */
  retire(): Promise<void>;
  /**
   * Waits for the replies under way, at most `limit` ms, and for `others`, which keeps to a limit
   * of its own and cuts its replies off itself; then closes all connections. Until then new ones
   * are accepted, so that their requests can be refused with a status.
   */
  drain(limit: number, others: Promise<unknown>): Promise<void>;
}

/** Milliseconds in which the last replies may still be sent at the end. */
const closingMs = 1000;
/** Milliseconds that a connection may be idle. */
const idleMs = 65_000;
/** Milliseconds that the answers of a server that retires may take. */
const retireMs = 600_000;

/** Some HTTP clients offer to switch to HTTP/2 on every request (`h2c`). The offer is ignored. */
function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** `isLeaving`: connections are to end after their next reply (docs/rules/process.md#drain). */
export function createHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  isLeaving: () => boolean = () => false,
): DrainableServer {
  const underWay = new ActiveList<ServerResponse>();
  let draining = false;
  let retired = false;
  const server = createServer(
    {
      keepAliveTimeout: idleMs,
      requestTimeout: 300_000,
      headersTimeout: 60_000,
      shouldUpgradeCallback: asksForWebSocket,
    },
    (request, response) => {
      const entry = underWay.add(response);
      if (draining || retired || isLeaving()) response.shouldKeepAlive = false;
      response.on('close', () => underWay.remove(entry));
      handle(request, response);
    },
  );

  // Node asks for it once it is needed, and of a peer that has reset its connection by then it is
  // not known any more.
  server.on('connection', (socket) => void socket.remoteAddress);
  // Node leaves upgraded connections to the code that upgraded them.
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (_request, socket) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
  });
  const closeAll = () => {
    server.closeAllConnections();
    for (const socket of upgraded) socket.destroy();
  };

  /**
   * Replies that promised keep-alive in their headers leave connections that close when they become
   * idle.
   */
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(closeAll, closingMs);
      const sweep = setInterval(() => server.closeIdleConnections(), 100);
      server.close(() => {
        clearTimeout(timer);
        clearInterval(sweep);
        resolve();
      });
      server.closeIdleConnections();
    });

  /** Replies under way whose head is not sent yet end their connection. */
  const endConnections = () => {
    for (const response of underWay.items())
      if (!response.headersSent) response.shouldKeepAlive = false;
  };

  return {
    server,
    get draining() {
      return draining;
    },
    retire: async () => {
      retired = true;
      endConnections();
      const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
      // Not http's close, which cuts idle connections off while a request may be on its way.
      NetServer.prototype.close.call(server);
      const late = new AbortController();
      const { signal } = late;
      await Promise.race([ended, sleep(retireMs, undefined, { signal }).catch(() => undefined)]);
      late.abort();
    },
    drain: async (limit, others) => {
      draining = true;
      endConnections();
      const ended = underWay
        .items()
        .map((response) => new Promise((resolve) => response.once('close', resolve)));
      const late = new AbortController();
      await Promise.race([
        Promise.all(ended),
        sleep(limit, undefined, { signal: late.signal }).catch(() => undefined),
      ]);
      late.abort();
      await others;
      await close();
    },
  };
}
