/** A TLS proxy in front of a gateway, because some clients require TLS. */
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { makeCertificate } from './certificate.ts';

/** `ca` is the certificate that clients must trust. */
export async function startTlsFront(
  target: string,
): Promise<{ url: string; ca: string; close(): void }> {
  const pair = makeCertificate();
  const { port } = new URL(target);
  const front = createServer(pair, (socket) => {
    const inner = connect(Number(port), '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    for (const end of [socket, inner]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(front.address() as AddressInfo).port}`,
    ca: pair.cert,
    close: () => front.close(),
  };
}
