/**
 * Signatures and encryption of WeChat Pay, API v3 (WeChat Pay documentation, "Signature" and
 * "Decrypting notices").
 */
import { createDecipheriv, type KeyObject, sign, verify } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';

/** RSA PKCS#1 v1.5 with SHA-256 over the lines, each ended by a line feed; base64. */
export function signLines(lines: readonly string[], key: KeyObject): string {
  return sign('sha256', Buffer.from(`${lines.join('\n')}\n`), key).toString('base64');
}

/** `body`: the bytes as received. */
export function isSigned(
  head: readonly string[],
  body: Buffer,
  signature: string,
  key: KeyObject,
): boolean {
  const message = Buffer.concat([Buffer.from(`${head.join('\n')}\n`), body, Buffer.from('\n')]);
  return verify('sha256', message, key, Buffer.from(signature, 'base64'));
}

export interface EncryptedResource {
  readonly ciphertext: string;
  readonly nonce: string;
  readonly associatedData: string;
}

const tagBytes = 16;

/**
 * AES-256-GCM with the APIv3 key; the tag follows the ciphertext. Throws AppError
 * payment_notice_invalid.
 */
export function decryptResource(
  { ciphertext, nonce, associatedData }: EncryptedResource,
  apiKey: string,
): string {
  try {
    const bytes = Buffer.from(ciphertext, 'base64');
    const options = { authTagLength: tagBytes };
    const decipher = createDecipheriv(
      'aes-256-gcm',
      Buffer.from(apiKey),
      Buffer.from(nonce),
      options,
    );
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    decipher.setAAD(Buffer.from(associatedData));
    return Buffer.concat([
      decipher.update(bytes.subarray(0, -tagBytes)),
      decipher.final(),
    ]).toString('utf8');
  } catch (error) {
    throw new AppError('payment_notice_invalid', {}, { cause: error });
  }
}
