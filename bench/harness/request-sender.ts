import { type Connection, openConnection } from './http-connection.ts';
import type { LoadTarget } from './load-order.ts';
import { type RequestName, requests } from './requests.ts';

/** Up to this size head and body are one buffer, prepared for each key. */
const joinedBytes = 16_384;

export interface RequestSender {
  connect(): Promise<Connection>;
  /** Sends the next request, with the key whose turn it is. */
  send(connection: Connection, seen?: (data: Buffer) => void): Promise<boolean>;
}

export function createSender({ url, keys, header }: LoadTarget, name: RequestName): RequestSender {
  const { hostname, port, host } = new URL(url);
  const request = requests[name];
  const endings: readonly string[] = request.endings;
  const body = Buffer.from(JSON.stringify(request.body));
  const prepared = keys.map((key) => {
    const own = header ?? `authorization: Bearer ${key}`;
    const head = Buffer.from(
      `POST ${request.path} HTTP/1.1\r\nhost: ${host}\r\n${own}\r\ncontent-type: application/json\r\n` +
        `content-length: ${body.length}\r\n\r\n`,
    );
    return body.length <= joinedBytes ? [Buffer.concat([head, body])] : [head, body];
  });
  let turn = 0;
  return {
    connect: () => openConnection(hostname, Number(port)),
    send(connection, seen) {
      const parts = prepared[turn % prepared.length] ?? [];
      turn += 1;
      return connection.send(parts, endings, seen);
    },
  };
}
