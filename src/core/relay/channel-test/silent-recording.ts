const sampleRate = 16_000;
/** Seconds; shorter recordings are refused by some. */
const duration = 0.5;

/** A WAV file of silence: 16 bit, one channel. */
export function silentRecording(): Uint8Array {
  const size = sampleRate * duration * 2;
  const file = Buffer.alloc(44 + size);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + size, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20); // PCM
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(size, 40);
  return file;
}
