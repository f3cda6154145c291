/**
 * Opens what NaCl's `secretbox` sealed (XSalsa20 and Poly1305), which Node's crypto cannot: the
 * definition is public (cr.yp.to/snuffle/xsalsa-20110204.pdf, cr.yp.to/mac/poly1305-20050329.pdf).
 * For values of a few hundred bytes; it is not made for speed.
 */
import { timingSafeEqual } from 'node:crypto';

const nonceBytes = 24;
const tagBytes = 16;
/** The least that a sealed value has. */
export const secretboxOverhead = nonceBytes + tagBytes;

/** `sealed` begins with the nonce. Undefined: it was not sealed with this key, or was changed. */
export function openSecretbox(sealed: Buffer, key: Buffer): Buffer | undefined {
  if (sealed.length < secretboxOverhead) return undefined;
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, secretboxOverhead);
  const text = sealed.subarray(secretboxOverhead);
  const stream = keystream(key, nonce, 32 + text.length);
  if (!timingSafeEqual(poly1305(text, stream.subarray(0, 32)), tag)) return undefined;
  return Buffer.from(text.map((byte, index) => byte ^ (stream[32 + index] ?? 0)));
}

/** "expand 32-byte k". */
const constants = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const;

const wordsOf = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4));

/** The 16 words that Salsa20 works on: a key, and four words of nonce and counter. */
function stateOf(key: readonly number[], input: readonly number[]): Uint32Array {
  const [first, second, third, fourth] = constants;
  return Uint32Array.from([
    ...[first, ...key.slice(0, 4), second],
    ...[...input, third],
    ...[...key.slice(4, 8), fourth],
  ]);
}

/** Which words a quarter of a round mixes: the columns, then the rows. */
const quarters = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
] as const;

function mixed(state: Uint32Array): Uint32Array {
  const words = Uint32Array.from(state);
  const at = (index: number): number => words[index] ?? 0;
  const turn = (target: number, one: number, other: number, bits: number) => {
    const sum = (at(one) + at(other)) >>> 0;
    words[target] = at(target) ^ ((sum << bits) | (sum >>> (32 - bits)));
  };
  for (let round = 0; round < 10; round += 1)
    for (const [a, b, c, d] of quarters) {
      turn(b, a, d, 7);
      turn(c, b, a, 9);
      turn(d, c, b, 13);
      turn(a, d, c, 18);
    }
  return words;
}

function keystream(key: Buffer, nonce: Buffer, length: number): Buffer {
  const words = wordsOf(nonce);
  const first = mixed(stateOf(wordsOf(key), words.slice(0, 4)));
  // HSalsa20: the words that are neither key nor counter become the key of this nonce.
  const subkey = [0, 5, 10, 15, 6, 7, 8, 9].map((index) => first[index] ?? 0);
  const stream = Buffer.alloc(Math.ceil(length / 64) * 64);
  for (let block = 0; block * 64 < length; block += 1) {
    const state = stateOf(subkey, [...words.slice(4, 6), block, 0]);
    const output = mixed(state);
    for (const [index, word] of output.entries())
      stream.writeUInt32LE((word + (state[index] ?? 0)) >>> 0, block * 64 + index * 4);
  }
  return stream.subarray(0, length);
}

const prime = (1n << 130n) - 5n;
const clamp = 0x0ffffffc0ffffffc0ffffffc0fffffffn;

const numberOf = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

function poly1305(text: Uint8Array, key: Buffer): Buffer {
  const factor = numberOf(key.subarray(0, 16)) & clamp;
  let sum = 0n;
  for (let at = 0; at < text.length; at += 16) {
    const block = text.subarray(at, at + 16);
    sum = ((sum + numberOf(block) + (1n << BigInt(8 * block.length))) * factor) % prime;
  }
  let total = sum + numberOf(key.subarray(16, 32));
  const tag = Buffer.alloc(tagBytes);
  for (let index = 0; index < tagBytes; index += 1, total >>= 8n) tag[index] = Number(total & 255n);
  return tag;
}
