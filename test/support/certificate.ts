/** Generates a self-signed certificate for `localhost` and 127.0.0.1 (X.509 in DER, RFC 5280). */
import { generateKeyPairSync, sign } from 'node:crypto';

const value = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: Buffer[]) => value(0x30, ...parts);
const hex = (text: string) => Buffer.from(text, 'hex');
const commonName = hex('0603550403');
const ecdsaWithSha256 = sequence(hex('06082a8648ce3d040302'));
const sha256WithRsa = sequence(hex('06092a864886f70d01010b'), hex('0500'));
const subjectAltName = hex('0603551d11');

const time = (date: Date) =>
  value(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\..*/g, '')}Z`));

/** Key and certificate in PEM format. */
export function makeCertificate(kind: 'ec' | 'rsa' = 'ec'): {
  readonly key: string;
  readonly cert: string;
} {
  const { privateKey, publicKey } =
    kind === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = kind === 'ec' ? ecdsaWithSha256 : sha256WithRsa;
  const name = sequence(value(0x31, sequence(commonName, value(0x0c, Buffer.from('localhost')))));
  const day = 24 * 3600 * 1000;
  const validity = sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day)));
  const names = sequence(
    value(0x82, Buffer.from('localhost')),
    value(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const extensions = value(0xa3, sequence(sequence(subjectAltName, value(0x04, names))));
  const body = sequence(
    value(0xa0, hex('020102')),
    value(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = value(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = sequence(body, algorithm, signature)
    .toString('base64')
    .replace(/(.{64})/g, '$1\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.trim()}\n-----END CERTIFICATE-----\n`,
  };
}
