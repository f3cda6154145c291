import { expect, it, onTestFinished } from 'vitest';
import { audioSeconds } from '../../../../src/core/relay/files/audio-length.ts';
import { mp3, wav } from '../../../support/audio-files.ts';

const secondsOf = (bytes: Buffer, mediaType = 'application/octet-stream') =>
  audioSeconds({ filename: 'a', mediaType, bytes });

it('reads the length of audio, for any declared type', async () => {
  expect(await secondsOf(wav(90.5))).toBeCloseTo(90.5);
  expect(await secondsOf(wav(90.5), 'audio/mpeg')).toBeCloseTo(90.5);
});

it('measures a file that does not declare its length', async () => {
  const length = (frames: number) => (frames * 1152) / 44_100;
  expect(await secondsOf(mp3(4000))).toBeCloseTo(length(4000), 1);
  expect(await secondsOf(mp3(4000, true))).toBeCloseTo(length(4000), 0);
});

it('recognises raw samples by their type', async () => {
  expect(await secondsOf(Buffer.alloc(96_000), 'audio/pcm')).toBe(2);
});

it('estimates what it cannot read', async () => {
  expect(await secondsOf(Buffer.alloc(16_000, 'x'))).toBe(2);
});

it('does not believe a header that claims less than the bytes can hold', async () => {
  const liar = wav(120);
  liar.writeUInt32LE(2, 40); // one sample
  expect(await secondsOf(liar)).toBeCloseTo(120, 1);
});

it('does not believe one that claims no end', async () => {
  const liar = wav(10);
  liar.writeUInt32LE(0, 24); // samples per second
  expect(await secondsOf(liar)).toBeLessThan(100);
  expect(await secondsOf(liar)).toBeGreaterThan(0);
});

it('stops reading a file that could be audio at every byte', async () => {
  const bytes = Buffer.alloc(4_000_000, 0xff);
  const { subarray } = Uint8Array.prototype;
  let reads = 0;
  Uint8Array.prototype.subarray = function count(this: Uint8Array, ...range) {
    reads += 1;
    return Reflect.apply(subarray, this, range);
  } as typeof subarray;
  onTestFinished(() => {
    Uint8Array.prototype.subarray = subarray;
  });
  expect(await secondsOf(bytes, 'audio/mpeg')).toBe(bytes.length / 8000);
  expect(reads).toBeGreaterThan(10_000);
  expect(reads).toBeLessThan(400_000);
});
