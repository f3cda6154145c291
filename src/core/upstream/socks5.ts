/**
 * Client handshake of SOCKS 5 (RFC 1928, RFC 1929). Afterwards the socket is a connection to the
 * target.
 */
import type { Duplex } from 'node:stream';
import ipaddr from 'ipaddr.js';

export interface SocksLogin {
  /** Empty: no authentication is offered. */
  readonly user: string;
  readonly password: string;
}

const version = 5;
const noLogin = 0;
const passwordLogin = 2;
const connectCommand = 1;
const addressTypes = { ipv4: 1, name: 3, ipv6: 4 } as const;

/** Throws Error when the proxy refuses or does not speak SOCKS 5. */
export async function greetSocks(
  socket: Duplex,
  target: { readonly host: string; readonly port: number },
  login: SocksLogin,
): Promise<void> {
  const methods = login.user === '' ? [noLogin] : [noLogin, passwordLogin];
  socket.write(Buffer.from([version, methods.length, ...methods]));
  const [answered, method] = await take(socket, 2);
  if (answered !== version || method === undefined || !methods.includes(method))
    throw new Error('the proxy refused the login');
  if (method === passwordLogin) await sendLogin(socket, login);
  const port = Buffer.alloc(2);
  port.writeUInt16BE(target.port);
  socket.write(
    Buffer.concat([Buffer.from([version, connectCommand, 0]), encodeHost(target.host), port]),
  );
  const [, result, , addressType] = await take(socket, 4);
  if (result !== 0) throw new Error(`the proxy could not connect (${result})`);
  // The address from which the proxy connects; not needed.
  const length =
    addressType === addressTypes.ipv4
      ? 4
      : addressType === addressTypes.ipv6
        ? 16
        : (await take(socket, 1))[0];
  await take(socket, (length ?? 0) + 2);
}

async function sendLogin(socket: Duplex, { user, password }: SocksLogin): Promise<void> {
  socket.write(Buffer.concat([Buffer.from([1]), withLength(user), withLength(password)]));
  const [, status] = await take(socket, 2);
  if (status !== 0) throw new Error('the proxy refused the login');
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('a name for the proxy is too long');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function encodeHost(host: string): Buffer {
  // The proxy resolves names.
  if (!ipaddr.isValid(host))
    return Buffer.concat([Buffer.from([addressTypes.name]), withLength(host)]);
  const address = ipaddr.parse(host);
  return Buffer.from([addressTypes[address.kind()], ...address.toByteArray()]);
}

/** Reads exactly `count` bytes. */
async function take(socket: Duplex, count: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let missing = count; missing > 0; ) {
    const piece = socket.read(Math.min(missing, socket.readableLength)) as Buffer | null;
    if (piece !== null) {
      pieces.push(piece);
      missing -= piece.length;
    } else if (socket.readableEnded || socket.destroyed) {
      throw new Error('the proxy closed the connection');
    } else {
      await nextBytes(socket);
    }
  }
  return Buffer.concat(pieces);
}

/** Resolves when there is more to read, or at the end. */
function nextBytes(socket: Duplex): Promise<void> {
  return new Promise((resolve, reject) => {
    const forget = () =>
      socket.off('readable', more).off('end', more).off('close', more).off('error', broken);
    const more = () => {
      forget();
      resolve();
    };
    const broken = (error: Error) => {
      forget();
      reject(error);
    };
    socket.once('readable', more).once('end', more).once('close', more).once('error', broken);
  });
}
