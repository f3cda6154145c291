/** The HTTP server, and how it stops (docs/rules/process.md#stop). */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ActiveList } from '../core/kernel/active-list.ts';

export interface DrainableServer {
  readonly server: Server;
  /** New requests are to be refused. */
  readonly draining: boolean;
  /**
   * Waits for the replies under way and for `others`, at most `limit` ms, then closes. Until then new connections are
   * accepted, so that their requests can be refused with a status.
   */
  drain(limit: number, others: Promise<unknown>): Promise<void>;
}

/** Milliseconds in which refusals may still be sent at the end. */
const closingMs = 1000;

/** Some HTTP clients offer to switch to HTTP/2 on every request (`h2c`). The offer is ignored. */
function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

export function createHttpServer(handle: (request: IncomingMessage, response: ServerResponse) => void): DrainableServer {
  const underWay = new ActiveList<ServerResponse>();
  let draining = false;
  const server = createServer(
    { keepAliveTimeout: 65_000, requestTimeout: 300_000, headersTimeout: 60_000, shouldUpgradeCallback: asksForWebSocket },
    (request, response) => {
      const entry = underWay.add(response);
      if (draining) response.shouldKeepAlive = false;
      response.on('close', () => underWay.remove(entry));
      handle(request, response);
    },
  );

  /** Replies that promised keep-alive in their headers leave connections that close when they become idle. */
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), closingMs);
      const sweep = setInterval(() => server.closeIdleConnections(), 100);
      server.close(() => {
        clearTimeout(timer);
        clearInterval(sweep);
        resolve();
      });
      server.closeIdleConnections();
    });

  return {
    server,
    get draining() {
      return draining;
    },
    drain: async (limit, others) => {
      draining = true;
      for (const response of underWay.items()) if (!response.headersSent) response.shouldKeepAlive = false;
      const timer = setTimeout(() => server.closeAllConnections(), limit);
      const ended = underWay.items().map((response) => new Promise((resolve) => response.once('close', resolve)));
      await Promise.all([...ended, others]);
      clearTimeout(timer);
      await close();
    },
  };
}
