/** A connection for a protocol that brings its own framing: straight to the server or through a channel's proxy, with TLS on top. */
import { isIP } from 'node:net';
import { addAbortSignal, type Duplex } from 'node:stream';
import { connect as startTls } from 'node:tls';
import { type buildConnector, Client } from 'undici';
import { AppError } from '../kernel/errors.ts';
import { greetSocks } from './socks5.ts';

/** Connects to a TCP port; the outbound guard's where the site has one. */
export type Dial = buildConnector.connector;

export interface Destination {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/**
 * Opens the connection. `proxy`: an `http:`, `https:` or `socks5:` URL, user and password included. Until `signal` aborts
 * the socket belongs to the caller; an abort destroys it, at whatever stage. Throws AppError address_not_allowed (from the
 * guard), do_request_failed (no such kind of proxy), and what the network says.
 */
export async function openTunnel(to: Destination, proxy: string | undefined, dial: Dial, signal: AbortSignal): Promise<Duplex> {
  const plain = endWith(signal, await connect(to, proxy, dial, signal));
  if (!to.secure) return plain;
  // A WebSocket begins as HTTP/1.1; the host is named for addresses, which have no server name but are checked too.
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

function endWith(signal: AbortSignal, socket: Duplex): Duplex {
  // Whoever uses the socket hears its errors; between two users there is nobody, and nobody must not mean a crash.
  socket.on('error', () => undefined);
  return addAbortSignal(signal, socket);
}

function connect(to: Destination, proxy: string | undefined, dial: Dial, signal: AbortSignal): Promise<Duplex> {
  if (proxy === undefined) return dialPort(to.host, to.port, dial);
  const address = new URL(proxy);
  if (address.protocol === 'http:' || address.protocol === 'https:') return throughHttpProxy(to, address, signal);
  if (address.protocol === 'socks5:' || address.protocol === 'socks:') return throughSocks(to, address, dial, signal);
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

async function throughHttpProxy({ host, port }: Destination, proxy: URL, signal: AbortSignal): Promise<Duplex> {
  const client = new Client(proxy.origin);
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const credentials = login === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` };
  try {
    const { statusCode, socket } = await client.connect({ path: target, headers: { host: target, ...credentials }, signal });
    if (statusCode === 200) return socket;
    socket.destroy();
    throw new Error(`the proxy answered ${statusCode}`);
  } finally {
    // The tunnel is no longer the client's; nothing else ever was.
    await client.close();
  }
}

async function throughSocks(to: Destination, proxy: URL, dial: Dial, signal: AbortSignal): Promise<Duplex> {
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
