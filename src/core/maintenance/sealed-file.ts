/**
 * Backups that a passphrase encrypts (docs/rules/maintenance.md#sealed): a line that names the
 * format, a line of JSON with what the key is derived by, then pieces of AES-256-GCM. The nonce of a
 * piece is its number and whether it is the last one, so that pieces cannot be cut off, left out or
 * put into another order. The two lines are authenticated with each piece.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { Readable, Transform, type TransformCallback, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import { z } from '../kernel/zod.ts';

export const sealedMagic = 'TURNPIKE SEALED';
const format = 1;
/** Plain bytes of a piece, and those that its seal adds. */
const pieceBytes = 65_536;
const tagBytes = 16;
/** The cost of a guess: a tenth of a second and 32 MB. */
const cost = { n: 32_768, r: 8, p: 1 } as const;
const mostMemory = 1024 ** 3;
/** Both lines of a file are shorter. */
const longestHead = 1024;

const headShape = z.object({
  kdf: z.literal('scrypt'),
  n: z.number().int().min(2).max(1_048_576),
  r: z.number().int().min(1).max(32),
  p: z.number().int().min(1).max(16),
  salt: z.base64(),
});

function deriveKey(
  passphrase: string,
  salt: Buffer,
  { n, r, p }: { readonly n: number; readonly r: number; readonly p: number },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, 32, { N: n, r, p, maxmem: mostMemory }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function nonceOf(piece: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(piece, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Encrypts what is written to it. */
function createSeal(passphrase: string): Transform {
  const salt = randomBytes(16);
  const described = JSON.stringify({ kdf: 'scrypt', ...cost, salt: salt.toString('base64') });
  const head = Buffer.from(`${sealedMagic} ${format}\n${described}\n`);
  let key: Buffer | undefined;
  let waiting: Buffer[] = [];
  let bytes = 0;
  let piece = 0;

  const sealPiece = (transform: Transform, plain: Buffer, isLast: boolean): void => {
    if (key === undefined) return;
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(piece, isLast));
    cipher.setAAD(head);
    transform.push(Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
    piece += 1;
  };
  const begin = async (transform: Transform): Promise<void> => {
    if (key !== undefined) return;
    key = await deriveKey(passphrase, salt, cost);
    transform.push(head);
  };
  const take = async (transform: Transform, chunk: Buffer): Promise<void> => {
    await begin(transform);
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes <= pieceBytes) return;
    // The last piece is known only at the end, so as many bytes as it may have are kept back.
    let all = Buffer.concat(waiting);
    for (; all.length > pieceBytes; all = all.subarray(pieceBytes))
      sealPiece(transform, all.subarray(0, pieceBytes), false);
    waiting = [all];
    bytes = all.length;
  };
  const end = async (transform: Transform): Promise<void> => {
    await begin(transform);
    sealPiece(transform, Buffer.concat(waiting), true);
  };
  const settle = (work: Promise<void>, done: TransformCallback): void => {
    work.then(() => done(), done);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      settle(take(this, chunk), done);
    },
    flush(done) {
      settle(end(this), done);
    },
  });
}

/** Has `write` write to `target`, encrypted unless the passphrase is ''. */
export async function writeSealed<T>(
  target: Writable,
  passphrase: string,
  write: (plain: Writable) => Promise<T>,
): Promise<T> {
  if (passphrase === '') return write(target);
  const seal = createSeal(passphrase);
  const [result] = await Promise.all([write(seal), pipeline(seal, target)]);
  return result;
}

/**
 * The plain bytes of a backup, whether it is encrypted or not. `name` stands in errors. The stream
 * fails with AppError backup_sealed without a passphrase, backup_passphrase with a wrong one,
 * backup_damaged, backup_newer.
 */
export function openSealed(source: Readable, name: string, passphrase: string): Readable {
  return Readable.from(plainBytes(source, name, passphrase), { objectMode: false });
}

async function* plainBytes(
  source: Readable,
  file: string,
  passphrase: string,
): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let opener: Opener | undefined;
  let isPlain = false;
  for await (const chunk of source) {
    if (isPlain) {
      yield chunk as Buffer;
      continue;
    }
    held = Buffer.concat([held, chunk as Buffer]);
    if (opener === undefined) {
      if (held.length >= sealedMagic.length && !startsSealed(held)) {
        isPlain = true;
        yield held;
        continue;
      }
      const head = headOf(held);
      if (head === undefined && held.length > longestHead)
        throw new AppError('backup_damaged', { file });
      if (head === undefined) continue;
      opener = await createOpener(head, file, passphrase);
      held = held.subarray(head.length);
    }
    for (; held.length > pieceBytes + tagBytes; held = held.subarray(pieceBytes + tagBytes))
      yield opener.open(held.subarray(0, pieceBytes + tagBytes), false);
  }
  if (isPlain) return;
  if (opener !== undefined) yield opener.open(held, true);
  else if (startsSealed(held)) throw new AppError('backup_damaged', { file });
  else yield held;
}

export const startsSealed = (bytes: Buffer): boolean =>
  bytes.subarray(0, sealedMagic.length).toString('latin1') === sealedMagic;

/** Both lines, once they are there. */
function headOf(bytes: Buffer): Buffer | undefined {
  const second = bytes.indexOf(0x0a, bytes.indexOf(0x0a) + 1);
  return bytes.includes(0x0a) && second > 0 ? bytes.subarray(0, second + 1) : undefined;
}

interface Opener {
  /** Throws AppError backup_passphrase, backup_damaged. */
  open(sealed: Buffer, isLast: boolean): Buffer;
}

async function createOpener(head: Buffer, file: string, passphrase: string): Promise<Opener> {
  const [first = '', second = ''] = head.toString('utf8').split('\n');
  const version = Number(first.slice(sealedMagic.length + 1));
  if (version > format) throw new AppError('backup_newer', { file });
  const described = headShape.safeParse(parseJson(second));
  if (!described.success) throw new AppError('backup_damaged', { file });
  if (passphrase === '') throw new AppError('backup_sealed', { file });
  const salt = Buffer.from(described.data.salt, 'base64');
  const key = await deriveKey(passphrase, salt, described.data);
  let piece = 0;
  return {
    open: (sealed, isLast) => {
      // Nothing of the first piece opens with another key.
      const failure = piece === 0 ? 'backup_passphrase' : 'backup_damaged';
      if (sealed.length < tagBytes) throw new AppError('backup_damaged', { file });
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(piece, isLast));
      decipher.setAAD(head);
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      piece += 1;
      try {
        return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
      } catch (cause) {
        throw new AppError(failure, { file }, { cause });
      }
    },
  };
}
