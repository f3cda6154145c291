/**
 * Servers of tests keep idle connections longer than node's five seconds. On a busy machine this
 * process may stand still for as long: then a client in it, whose own limit ends in the same moment,
 * may send on a connection that its server is closing.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';

const usual = 5000;
const long = 65_000;

subscribe('http.server.request.start', (message) => {
  const { server } = message as { readonly server: Server };
  if (server.keepAliveTimeout === usual) server.keepAliveTimeout = long;
});
