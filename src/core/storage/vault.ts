import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { AppError } from '../kernel/errors.ts';

/** Encryption of secrets at rest (docs/rules/security.md#secrets-at-rest). */
export interface Vault {
  /**
   * Encrypts with AES-256-GCM to `v1:<nonce>:<ciphertext>` (base64url, tag at the end). The
   * context, `table:row` or `table:column`, is authenticated, so a ciphertext that is moved
   * elsewhere cannot be decrypted.
   */
  seal(text: string, context: string): string;
  /**
   * Decrypts. Throws `internal_error` naming the context when the key, the context or the text is
   * wrong.
   */
  open(sealed: string, context: string): string;
  /**
   * Decrypts a value of a row that may be damaged without taking others with it; undefined: it
   * cannot be decrypted.
   */
  read(sealed: string, context: string): string | undefined;
  /** HMAC-SHA-256 as hex, to look up a secret without storing it in clear. */
  hash(text: string): string;
}

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * `masterKey` comes from CRYPTO_SECRET or the key file; the keys for encryption and hashing are
 * derived from it by HKDF-SHA-256.
 */
export function createVault(masterKey: Buffer): Vault {
  // Node makes a key object of bytes at each use: 15 µs of 20.
  const derive = (purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', `turnpike ${purpose}`, 32)));
  const sealingKey = derive('seal');
  const hashingKey = derive('hash');
  const open = (sealed: string, context: string): string => {
    const [prefix, nonceText = '', cipherText = ''] = sealed.split(':');
    const nonce = Buffer.from(nonceText, 'base64url');
    const data = Buffer.from(cipherText, 'base64url');
    if (prefix !== version || nonce.length !== nonceBytes || data.length < tagBytes)
      throw unreadable(context);
    const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(context))
      .setAuthTag(data.subarray(data.length - tagBytes));
    try {
      return (
        decipher.update(data.subarray(0, data.length - tagBytes), undefined, 'utf8') +
        decipher.final('utf8')
      );
    } catch (cause) {
      throw unreadable(context, cause);
    }
  };
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${version}:${nonce.toString('base64url')}:${ciphertext.toString('base64url')}`;
    },
    open,
    read(sealed, context) {
      try {
        return open(sealed, context);
      } catch {
        return undefined;
      }
    },
    hash: (text) => createHmac('sha256', hashingKey).update(text).digest('hex'),
  };
}

function unreadable(context: string, cause?: unknown): AppError {
  return new AppError('internal_error', { reason: 'sealed with another key', context }, { cause });
}
