/** A proxy between an agent and the gateway that records requests and forwards bytes unchanged. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Tap {
  readonly url: string;
  /** Method and path of each request. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

const requestLine = /^(?:GET|POST|HEAD|PUT|DELETE) \S+(?= HTTP\/1\.1\r\n)/;

export async function startTap(gatewayUrl: string): Promise<Tap> {
  const { hostname, port } = new URL(gatewayUrl);
  const lines: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const gateway = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => open.delete(one));
      one.pipe(other);
    }
    client.on('data', (chunk) => {
      const line = requestLine.exec(chunk.toString('latin1', 0, 2048))?.[0];
      if (line !== undefined) lines.push(line);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
