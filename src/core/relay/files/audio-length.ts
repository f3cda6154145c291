/**
 * The length of an audio file, measured here before the upstream is called
 * (docs/rules/metering.md#audio-length).
 */
import type { IFormat } from 'music-metadata';
import type { MediaFile } from '../../canonical/calls.ts';

/** Where no header gives the length, this many bytes of the file are measured frame by frame. */
const sampleSize = 256 * 1024;
/** Bytes per second where nothing can be measured: 64 kbit/s, what browsers record speech with. */
const assumedRate = 8000;
/** Most bytes a second: of any audio (stereo at 192 kHz and 24 bits), and of lossy formats. */
const densestRate = 192_000 * 3 * 2;
const densestLossyRate = 64_000;

interface Length {
  readonly seconds: number;
  /**
   * Most bytes per second of such an audio: where a header gives a length too short for the file,
   * it is ignored.
   */
  readonly densest: number;
}

/** For containers of audio alone: the bytes of a video say nothing about its length. */
function densestOf({
  container = '',
  sampleRate = 0,
  numberOfChannels = 0,
  bitsPerSample = 0,
}: IFormat): number {
  if (/^(MPEG|ADTS|Ogg)/.test(container)) return densestLossyRate;
  const raw = (sampleRate * numberOfChannels * bitsPerSample) / 8;
  return /^(WAVE|FLAC)/.test(container) && raw > 0 ? Math.min(raw, densestRate) : densestRate;
}

/**
 * Most reads of one file: an audio needs some thousands, a file that only looks like one may need
 * one for every byte.
 */
const mostReads = 50_000;

/** Bytes that stop the parser after too many reads. */
class BoundedBytes extends Uint8Array {
  static get [Symbol.species]() {
    return Uint8Array;
  }
  #reads = 0;

  override subarray(start?: number, end?: number): Uint8Array<ArrayBuffer> {
    if (++this.#reads > mostReads) throw new RangeError('the file takes too many reads');
    return super.subarray(start, end) as Uint8Array<ArrayBuffer>;
  }
}

async function readLength(
  bytes: Uint8Array,
  mediaType: string | undefined,
  byFrames: boolean,
): Promise<Length | undefined> {
  try {
    const info = mediaType === undefined ? {} : { mimeType: mediaType };
    const { parseBuffer } = await import('music-metadata');
    const { format } = await parseBuffer(
      new BoundedBytes(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength),
      info,
      {
        duration: byFrames,
        skipCovers: true,
      },
    );
    const { duration = 0 } = format;
    return duration > 0 && Number.isFinite(duration)
      ? { seconds: duration, densest: densestOf(format) }
      : undefined;
  } catch {
    return undefined; // an unknown format
  }
}

/** Samples without a header, as OpenAI's speech writes them: 24 kHz, 16 bits, one channel. */
const rawRate = 24_000 * 2;

/** By its content first, then by its media type. */
async function measure({ bytes, mediaType }: MediaFile): Promise<Length> {
  if (/^audio\/(pcm|l16)\b/i.test(mediaType))
    return { seconds: bytes.length / rawRate, densest: densestRate };
  for (const type of [undefined, mediaType]) {
    const length = await readLength(bytes, type, false);
    if (length !== undefined) return length;
    const sample = bytes.subarray(0, sampleSize);
    const sampled = await readLength(sample, type, true);
    if (sampled !== undefined)
      return { ...sampled, seconds: (sampled.seconds * bytes.length) / sample.length };
  }
  return { seconds: bytes.length / assumedRate, densest: densestRate };
}

/** Seconds, estimated from the size where the file cannot be measured. */
export async function audioSeconds(file: MediaFile): Promise<number> {
  const { seconds, densest } = await measure(file);
  const least = file.bytes.length / densest;
  // Some bytes are metadata.
  return seconds < 0.9 * least ? least : seconds;
}
