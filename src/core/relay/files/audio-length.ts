/** How long an audio is, in this process and before anybody is paid to listen to it (spec, relay 14 [R]). */
import { type IFormat, parseBuffer } from 'music-metadata';
import type { MediaFile } from '../../canonical/calls.ts';

/** Where a header does not tell the length, this much of the file is measured frame by frame, in bytes. */
const sampleSize = 256 * 1024;
/** Bytes per second where nothing can be measured: 64 kbit/s, what browsers record speech with. */
const assumedRate = 8000;
/** No audio holds more bytes a second than stereo at 192 kHz and 24 bits, and none that drops what is not heard more than this. */
const densestRate = 192_000 * 3 * 2;
const densestLossyRate = 64_000;

interface Length {
  readonly seconds: number;
  /** Bytes per second that such an audio holds at most. A header that claims more is not believed. */
  readonly densest: number;
}

/** Of containers that hold sound only; a film's bytes tell nothing of its length. */
function densestOf({ container = '', sampleRate = 0, numberOfChannels = 0, bitsPerSample = 0 }: IFormat): number {
  if (/^(MPEG|ADTS|Ogg)/.test(container)) return densestLossyRate;
  const raw = (sampleRate * numberOfChannels * bitsPerSample) / 8;
  return /^(WAVE|FLAC)/.test(container) && raw > 0 ? Math.min(raw, densestRate) : densestRate;
}

/** Pieces of a file that are read: an audio has some thousands, what only looks like one has one at every byte. */
const mostReads = 50_000;

/** Bytes that are given out piece by piece, and no longer where that does not come to an end. */
class Patient extends Uint8Array {
  static get [Symbol.species]() {
    return Uint8Array;
  }
  #reads = 0;

  override subarray(start?: number, end?: number): Uint8Array<ArrayBuffer> {
    if (++this.#reads > mostReads) throw new RangeError('the file is read in too many pieces');
    return super.subarray(start, end) as Uint8Array<ArrayBuffer>;
  }
}

async function readLength(bytes: Uint8Array, mediaType: string | undefined, byFrames: boolean): Promise<Length | undefined> {
  try {
    const info = mediaType === undefined ? {} : { mimeType: mediaType };
    const { format } = await parseBuffer(new Patient(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength), info, {
      duration: byFrames,
      skipCovers: true,
    });
    const { duration = 0 } = format;
    return duration > 0 && Number.isFinite(duration) ? { seconds: duration, densest: densestOf(format) } : undefined;
  } catch {
    return undefined; // no format that is known
  }
}

/** Samples without a header, as OpenAI speaks them: 24 kHz, 16 bits, one channel. */
const rawRate = 24_000 * 2;

/** By what it contains first, then by what it is called. */
async function measure({ bytes, mediaType }: MediaFile): Promise<Length> {
  if (/^audio\/(pcm|l16)\b/i.test(mediaType)) return { seconds: bytes.length / rawRate, densest: densestRate };
  for (const type of [undefined, mediaType]) {
    const length = await readLength(bytes, type, false);
    if (length !== undefined) return length;
    const sample = bytes.subarray(0, sampleSize);
    const sampled = await readLength(sample, type, true);
    if (sampled !== undefined) return { ...sampled, seconds: (sampled.seconds * bytes.length) / sample.length };
  }
  return { seconds: bytes.length / assumedRate, densest: densestRate };
}

/** Seconds, estimated from the size where the file does not tell. */
export async function audioSeconds(file: MediaFile): Promise<number> {
  const { seconds, densest } = await measure(file);
  const least = file.bytes.length / densest;
  // Not all bytes are sound: names and the like may take a little.
  return seconds < 0.9 * least ? least : seconds;
}
