/** Opens what NaCl's `secretbox` sealed (XSalsa20 and Poly1305), which Node's crypto cannot. */
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';

const nonceBytes = 24;
const tagBytes = 16;
/** The least that a sealed value has. */
export const secretboxOverhead = nonceBytes + tagBytes;

/** `sealed` begins with the nonce. Undefined: it was not sealed with this key, or was changed. */
export function openSecretbox(sealed: Buffer, key: Buffer): Buffer | undefined {
  if (sealed.length < secretboxOverhead) return undefined;
  const box = xsalsa20poly1305(key, sealed.subarray(0, nonceBytes));
  try {
    return Buffer.from(box.decrypt(sealed.subarray(nonceBytes)));
  } catch {
    return undefined;
  }
}
