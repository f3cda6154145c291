/**
 * A raw connection, directly or through a channel's proxy, with TLS where needed. Used by
 * WebSockets, and by requests through SOCKS proxies.
 */
import { isIP, type Socket } from 'node:net';
import { addAbortSignal, type Duplex } from 'node:stream';
import { connect as startTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { AppError } from '../kernel/errors.ts';
import { greetSocks } from './socks5.ts';
import { Client } from './undici.ts';

/** Opens a TCP connection; the outbound guard's connector where guarded. */
export type Dial = buildConnector.connector;

export interface Destination {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/**
 * Opens the connection. `proxy`: an `http:`, `https:` or `socks5:` URL, user and password included.
 * Until `signal` aborts the socket belongs to the caller; an abort destroys it at any stage. Throws
 * AppError address_not_allowed (from the guard), do_request_failed (unknown kind of proxy) and
 * network errors.
 */
export async function openTunnel(
  to: Destination,
  proxy: string | undefined,
  dial: Dial,
  signal: AbortSignal,
): Promise<Duplex> {
  const plain = endWith(signal, await connect(to, proxy, dial, signal));
  if (!to.secure) return plain;
  // A WebSocket starts as HTTP/1.1. `host` lets certificates be verified for IP addresses, which
  // have no server name.
  const secure = startTls({
    socket: plain,
    host: to.host,
    servername: isIP(to.host) === 0 ? to.host : '',
    ALPNProtocols: ['http/1.1'],
  });
  await new Promise<void>((resolve, reject) => {
    secure.once('secureConnect', resolve);
    secure.once('error', reject);
    secure.once('close', () => reject(new Error('the connection closed during the TLS handshake')));
  });
  return secure;
}

/** Milliseconds until a proxy must have connected; as long as undici waits for a connection. */
const proxyLimit = 10_000;

/** Connects through a proxy, for pools of HTTP connections. */
export function connectThrough(proxy: string, dial: Dial): Dial {
  return ({ hostname, port, protocol }, callback) => {
    const secure = protocol === 'https:';
    const to = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (secure ? 443 : 80)),
      secure,
    };
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('the proxy took too long')), proxyLimit);
    openTunnel(to, proxy, dial, late.signal)
      // Sockets, or TLS on them.
      .then(
        (socket) => callback(null, socket as Socket),
        (error: Error) => callback(error, null),
      )
      .finally(() => clearTimeout(timer));
  };
}

function endWith(signal: AbortSignal, socket: Duplex): Duplex {
  // Each user of the socket handles its errors. Between two users an unhandled error event would
  // crash the process.
  socket.on('error', () => undefined);
  return addAbortSignal(signal, socket);
}

function connect(
  to: Destination,
  proxy: string | undefined,
  dial: Dial,
  signal: AbortSignal,
): Promise<Duplex> {
  if (proxy === undefined) return dialPort(to.host, to.port, dial);
  const address = new URL(proxy);
  if (address.protocol === 'http:' || address.protocol === 'https:')
    return throughHttpProxy(to, address, signal);
  if (address.protocol === 'socks5:' || address.protocol === 'socks:')
    return throughSocks(to, address, dial, signal);
  throw new AppError('do_request_failed');
}

function dialPort(hostname: string, port: number, dial: Dial): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const host = isIP(hostname) === 6 ? `[${hostname}]:${port}` : `${hostname}:${port}`;
    dial({ hostname, host, protocol: 'http:', port: String(port) }, (error, socket) => {
      if (error !== null) reject(error);
      else resolve(socket);
    });
  });
}

async function throughHttpProxy(
  { host, port }: Destination,
  proxy: URL,
  signal: AbortSignal,
): Promise<Duplex> {
  const client = new Client(proxy.origin);
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const credentials =
    login === ':'
      ? {}
      : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` };
  try {
    const { statusCode, socket } = await client.connect({
      path: target,
      headers: { host: target, ...credentials },
      signal,
    });
    if (statusCode === 200) return socket;
    socket.destroy();
    throw new Error(`the proxy answered ${statusCode}`);
  } finally {
    // The tunnel no longer belongs to the client, which has no other connections.
    await client.close();
  }
}

async function throughSocks(
  to: Destination,
  proxy: URL,
  dial: Dial,
  signal: AbortSignal,
): Promise<Duplex> {
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const socket = endWith(signal, await dialPort(host, Number(proxy.port || 1080), dial));
  try {
    await greetSocks(socket, to, {
      user: decodeURIComponent(proxy.username),
      password: decodeURIComponent(proxy.password),
    });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
