/** Proxies on loopback sockets that record the connections through them. */
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'vitest';
import { afterEachTest } from '../../../support/hooks.ts';

export interface TestProxy {
  readonly port: number;
  /** `host:port` of every requested tunnel. */
  readonly targets: string[];
}

const open: (() => void)[] = [];
afterEachTest(() => {
  for (const close of open.splice(0)) close();
});

async function listen(server: Server, sockets: Set<Socket>): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/**
 * CONNECT, and plain requests, whose replies are passed on as they are; with Basic credentials
 * `user:secret`.
 */
export async function startHttpProxy(): Promise<TestProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const server = createHttpServer();
  server.on('connect', (request, client: Socket) => {
    if (
      request.headers['proxy-authorization'] !==
      `Basic ${Buffer.from('user:secret').toString('base64')}`
    ) {
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    }
    targets.push(request.url ?? '');
    const target = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    sockets.add(target);
    target.on('error', () => client.destroy());
  });
  server.on('request', (request) => {
    const { host, hostname, port, pathname } = new URL(request.url ?? '');
    targets.push(host);
    const target = connect(Number(port), hostname, () => {
      target.write(
        `${request.method} ${pathname} HTTP/1.1\r\nhost: ${host}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      );
      target.pipe(request.socket, { end: false });
    });
    sockets.add(target);
    target.on('error', () => request.socket.destroy());
  });
  return { port: await listen(server, sockets), targets };
}

/** SOCKS 5 strictly by RFC 1928 and RFC 1929, sending single bytes; credentials `user:secret`. */
export async function startSocksProxy(): Promise<TestProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (client) => {
    const bytes: number[] = [];
    let wake: () => void = () => undefined;
    client.on('data', (chunk: Buffer) => {
      bytes.push(...chunk);
      wake();
    });
    const take = async (count: number): Promise<Buffer> => {
      while (bytes.length < count) await new Promise<void>((resolve) => (wake = resolve));
      return Buffer.from(bytes.splice(0, count));
    };
    const trickle = (...values: number[]) =>
      values.forEach((value) => void client.write(Buffer.from([value])));
    const [, methods = 0] = await take(2);
    const offered = await take(methods);
    if (!offered.includes(2)) return trickle(5, 0xff);
    trickle(5, 2);
    const [, userLength = 0] = await take(2);
    const user = await take(userLength);
    const [passwordLength = 0] = await take(1);
    const password = await take(passwordLength);
    if (`${user}:${password}` !== 'user:secret') return trickle(1, 1);
    trickle(1, 0);
    const [, , , type] = await take(4);
    const host =
      type === 1 ? [...(await take(4))].join('.') : String(await take((await take(1))[0] ?? 0));
    const port = (await take(2)).readUInt16BE();
    targets.push(`${host}:${port}`);
    const target = connect(port, '127.0.0.1', () => {
      trickle(5, 0, 0, 1, 127, 0, 0, 1, 0, 0);
      client.removeAllListeners('data');
      client.pipe(target).pipe(client);
    });
    sockets.add(target);
    target.on('error', () => trickle(5, 5, 0, 1, 0, 0, 0, 0, 0, 0));
  });
  return { port: await listen(server, sockets), targets };
}

/**
 * Accepts connections and never replies; `closed` waits until that many were closed by the client.
 */
export async function startMuteProxy(): Promise<{
  port: number;
  closed(count: number): Promise<void>;
}> {
  let over = 0;
  const server = createServer((client) => void client.resume().on('close', () => (over += 1)));
  const port = await listen(server, new Set());
  return { port, closed: (count) => expect.poll(() => over).toBe(count) };
}
