/**
 * Values that LiteLLM's database has encrypted (litellm/proxy/common_utils/encrypt_decrypt_utils.py,
 * 2026-11): by NaCl's secretbox without a mark, or by AES-256-GCM with one. The key is
 * LITELLM_SALT_KEY, else the master key.
 */
import { createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import { openSecretbox, secretboxOverhead } from './secretbox.ts';

const marks = { 'v2:gcm:': 'sha256', 'v3:gcm:': 'hkdf' } as const;
const nonceBytes = 12;
const tagBytes = 16;

const isMark = (text: string): text is keyof typeof marks => Object.hasOwn(marks, text);
const decodes = (text: string): boolean => /^[\w+/-]+=*$/.test(text);

/** Reads values of one database. */
export class OldSecrets {
  readonly #saltKey: string;
  #opened = 0;
  #closed = 0;

  /** '' where nobody gave one. */
  constructor(saltKey: string) {
    this.#saltKey = saltKey;
  }

  /**
   * The value in clear, as it is where it is not encrypted. Undefined: it is, with a key that nobody
   * gave.
   */
  read(value: string): string | undefined {
    const text = open(value, this.#saltKey);
    if (text !== undefined) {
      this.#opened += 1;
      return text;
    }
    if (!looksSealed(value)) return value;
    this.#closed += 1;
    return undefined;
  }

  /**
   * Throws AppError import_salt_key_wrong where a key was given and opened nothing of what is
   * encrypted.
   */
  requireRightKey(): void {
    if (this.#saltKey !== '' && this.#opened === 0 && this.#closed > 0)
      throw new AppError('import_salt_key_wrong');
  }
}

function open(value: string, saltKey: string): string | undefined {
  if (saltKey === '') return undefined;
  const digest = createHash('sha256').update(saltKey).digest();
  const mark = value.slice(0, 7);
  if (!isMark(mark)) {
    if (!decodes(value)) return undefined;
    return openSecretbox(Buffer.from(value, 'base64url'), digest)?.toString('utf8');
  }
  const sealed = Buffer.from(value.slice(mark.length), 'base64url');
  if (sealed.length < nonceBytes + tagBytes) return undefined;
  const key =
    marks[mark] === 'sha256'
      ? digest
      : Buffer.from(hkdfSync('sha256', saltKey, '', 'litellm-at-rest-v3', 32));
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const text = sealed.subarray(nonceBytes, -tagBytes);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/**
 * Whether a value is a ciphertext. Keys of vendors are long, too, but begin with a word and a dash,
 * or have another length than Base64.
 */
function looksSealed(value: string): boolean {
  if (isMark(value.slice(0, 7))) return true;
  return (
    decodes(value) &&
    value.length % 4 === 0 &&
    value.length >= Math.ceil(secretboxOverhead / 3) * 4 &&
    !/^(sk|gsk|xai|pplx|nvapi|fw|csk|hf)[-_]/.test(value)
  );
}
