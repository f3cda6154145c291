/** Builders of silent audio files. */

/** A WAV file: 16 kHz, 16 bits, one channel. */
export function wav(seconds: number): Buffer {
  const samples = Math.round(seconds * 16_000);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples * 2, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(16_000, 24);
  head.writeUInt32LE(32_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples * 2, 40);
  return Buffer.concat([head, Buffer.alloc(samples * 2)]);
}

/**
 * MPEG layer 3 frames at 44.1 kHz, 26 ms each. `variable`: two bit rates, so that the duration does
 * not follow from the size.
 */
export function mp3(frames: number, variable = false): Buffer {
  return Buffer.concat(
    Array.from({ length: frames }, (_, position) => {
      const dense = variable && position % 3 === 1;
      const frame = Buffer.alloc(dense ? 522 : 417);
      frame.set([0xff, 0xfb, dense ? 0xa0 : 0x90, 0x00]);
      return frame;
    }),
  );
}
