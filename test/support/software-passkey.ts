/**
 * A passkey of P-256 in software, which answers as a browser does (WebAuthn Level 3, sections 6.1
 * and 6.5).
 */
import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const url = (data: Buffer) => data.toString('base64url');

interface Flags {
  readonly verified?: boolean;
  /** Says that it belongs to another user; null: to nobody. */
  readonly userHandle?: string | null;
  /** Who attests that it is new: itself, or a key that is not its own. Absent: nobody. */
  readonly attestedBy?: 'itself' | 'stranger';
}

export interface SoftwarePasskey {
  /** The signature counter: each answer has the next one. Set it back to play a copy. */
  counter: number;
  register(
    options: Readonly<Record<string, unknown>>,
    origin: string,
    flags?: Pick<Flags, 'verified' | 'attestedBy'>,
  ): Record<string, unknown>;
  answer(
    options: Readonly<Record<string, unknown>>,
    origin: string,
    flags?: Flags,
  ): Record<string, unknown>;
}

/** The head of a CBOR item, in its shortest form, as authenticators must write it. */
function bytes(major: number, length: number): Buffer {
  const kind = major << 5;
  if (length < 24) return Buffer.from([kind | length]);
  return length < 256
    ? Buffer.from([kind | 24, length])
    : Buffer.from([kind | 25, length >> 8, length & 255]);
}
const text = (value: string) => Buffer.concat([bytes(3, value.length), Buffer.from(value)]);
const binary = (value: Buffer) => Buffer.concat([bytes(2, value.length), value]);

const { privateKey: strangerKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export function createSoftwarePasskey(): SoftwarePasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let userHandle = '';
  const cose = Buffer.concat([
    Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21]),
    binary(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    binary(Buffer.from(y, 'base64url')),
  ]);
  const clientData = (type: string, challenge: unknown, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authData = (origin: string, flags: number, counter: number, rest = Buffer.alloc(0)) => {
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags);
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(new URL(origin).hostname), tail, rest]);
  };
  const passkey: SoftwarePasskey = {
    counter: 0,
    register: (options, origin, { verified = true, attestedBy } = {}) => {
      userHandle = (options['user'] as { id: string }).id;
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
      const data = authData(origin, verified ? 0x45 : 0x41, passkey.counter, credential);
      const client = clientData('webauthn.create', options['challenge'], origin);
      const sign = (key: KeyObject) =>
        createSign('SHA256')
          .update(Buffer.concat([data, sha256(client)]))
          .sign(key);
      const key = attestedBy === 'itself' ? privateKey : strangerKey;
      const statement = [text('alg'), Buffer.from([0x26]), text('sig'), binary(sign(key))];
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text(attestedBy === undefined ? 'none' : 'packed'),
        text('attStmt'),
        ...(attestedBy === undefined ? [Buffer.from([0xa0])] : [Buffer.from([0xa2]), ...statement]),
        text('authData'),
        binary(data),
      ]);
      const response = {
        clientDataJSON: url(client),
        attestationObject: url(attestation),
        transports: ['internal'],
      };
      return {
        id: url(id),
        rawId: url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response,
      };
    },
    answer: (options, origin, { verified = true, userHandle: named = userHandle } = {}) => {
      passkey.counter += 1;
      const data = authData(origin, verified ? 0x05 : 0x01, passkey.counter);
      const client = clientData('webauthn.get', options['challenge'], origin);
      const signature = createSign('SHA256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      const response = {
        clientDataJSON: url(client),
        authenticatorData: url(data),
        signature: url(signature),
        ...(named !== null && { userHandle: named }),
      };
      return {
        id: url(id),
        rawId: url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response,
      };
    },
  };
  return passkey;
}
