import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { openSealed, writeSealed } from '../../../src/core/maintenance/sealed-file.ts';

const passphrase = 'correct horse battery staple';
/** Plain bytes of a piece, and with its seal. */
const piece = 65_536;
const sealedPiece = piece + 16;

async function seal(plain: Buffer, chunk = 50_000): Promise<Buffer> {
  const target = new PassThrough();
  const [sealed] = await Promise.all([
    buffer(target),
    writeSealed(target, passphrase, async (stream) => {
      for (let at = 0; at < plain.length; at += chunk) stream.write(plain.subarray(at, at + chunk));
      stream.end();
    }),
  ]);
  return sealed;
}
const open = (sealed: Buffer, secret = passphrase, chunk = 10_000): Promise<Buffer> => {
  const chunks = Array.from({ length: Math.ceil(sealed.length / chunk) }, (_, index) =>
    sealed.subarray(index * chunk, (index + 1) * chunk),
  );
  return buffer(openSealed(Readable.from(chunks), 'a.backup', secret));
};
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'opened',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
const headLength = (sealed: Buffer) => sealed.indexOf('\n', sealed.indexOf('\n') + 1) + 1;

describe('an encrypted file', () => {
  test.each([0, piece, piece + 1, 300_001])('of %i bytes is read back as it was', async (bytes) => {
    const plain = randomBytes(bytes);
    const sealed = await seal(plain);
    expect((await open(sealed)).equals(plain)).toBe(true);
  });

  test('shows nothing of what is in it, and two of the same differ', async () => {
    const plain = Buffer.from('TURNPIKE BACKUP 1\n'.repeat(5000));
    const [one, two] = [await seal(plain), await seal(plain)];
    expect(one.includes('TURNPIKE BACKUP')).toBe(false);
    expect(one.equals(two)).toBe(false);
  });

  test('opens with its passphrase only', async () => {
    const sealed = await seal(randomBytes(100));
    expect(await codeOf(open(sealed, 'another'))).toBe('backup_passphrase');
    expect(await codeOf(open(sealed, ''))).toBe('backup_sealed');
  });

  test('that was changed anywhere, cut, shortened by pieces or reordered is refused', async () => {
    const sealed = await seal(randomBytes(4 * piece + 100));
    const head = headLength(sealed);
    const at = (index: number) => head + index * sealedPiece;
    const changed = (index: number) => {
      const copy = Buffer.from(sealed);
      copy[index] = (copy[index] ?? 0) ^ 1;
      return copy;
    };
    for (const index of [at(1) + 5, sealed.length - 1])
      expect(await codeOf(open(changed(index)))).toBe('backup_damaged');
    for (const end of [at(1), at(3), sealed.length - 1, at(4) + 10])
      expect(await codeOf(open(sealed.subarray(0, end)))).toMatch(/backup_(damaged|passphrase)/);
    const swapped = Buffer.concat([
      sealed.subarray(0, at(1)),
      sealed.subarray(at(2), at(3)),
      sealed.subarray(at(1), at(2)),
      sealed.subarray(at(3)),
    ]);
    expect(await codeOf(open(swapped))).toBe('backup_damaged');
    const without = Buffer.concat([sealed.subarray(0, at(1)), sealed.subarray(at(2))]);
    expect(await codeOf(open(without))).toBe('backup_damaged');
    expect(await codeOf(open(sealed.subarray(0, head)))).toBe('backup_damaged');
    expect(await codeOf(open(sealed.subarray(0, head - 5)))).toBe('backup_damaged');
  });

  test('of a later format, or that asks for endless work, is refused', async () => {
    const sealed = await seal(randomBytes(10));
    const text = sealed.toString('latin1');
    const later = Buffer.from(text.replace('SEALED 1', 'SEALED 2'), 'latin1');
    expect(await codeOf(open(later))).toBe('backup_newer');
    const costly = Buffer.from(text.replace('"n":32768', '"n":99999999999'), 'latin1');
    expect(await codeOf(open(costly))).toBe('backup_damaged');
  });

  test('what is not encrypted passes through, however short', async () => {
    for (const plain of ['', 'T', 'TURNPIKE', 'TURNPIKE BACKUP 1\nand so on'])
      expect((await open(Buffer.from(plain), passphrase, 3)).toString()).toBe(plain);
  });
});
