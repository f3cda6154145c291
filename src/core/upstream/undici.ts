/**
 * What upstreams are called with. Loaded file by file: undici's index also loads its fetch, caches,
 * mocks and WebSockets, which cost each start and stay in memory.
 */
import calls from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import errors from 'undici/lib/core/errors.js';
import Client from 'undici/lib/dispatcher/client.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';

// As undici's index does.
Object.assign(Dispatcher.prototype, calls);

export { buildConnector, Client, errors, Pool, ProxyAgent };
