/** How long a recording is, in this process and before anybody is paid to listen to it (spec, relay 14 [R]). */
import { parseBuffer } from 'music-metadata';
import type { MediaFile } from '../providers/canonical.ts';

/** Where a header does not tell the length, this much of the file is measured frame by frame, in bytes. */
const sampleSize = 256 * 1024;
/** Bytes per second where nothing can be measured: 64 kbit/s, what browsers record speech with. */
const assumedRate = 8000;
/** No recording holds more of them: stereo at 192 kHz and 24 bits. A header that claims so is not believed. */
const densestRate = 192_000 * 3 * 2;

async function readLength(bytes: Uint8Array, mediaType: string | undefined, byFrames: boolean): Promise<number | undefined> {
  try {
    const info = mediaType === undefined ? {} : { mimeType: mediaType };
    const { format } = await parseBuffer(bytes, info, { duration: byFrames, skipCovers: true });
    return format.duration !== undefined && format.duration > 0 ? format.duration : undefined;
  } catch {
    return undefined; // no format that is known
  }
}

/** Samples without a header, as OpenAI speaks them: 24 kHz, 16 bits, one channel. */
const rawRate = 24_000 * 2;

/** By what it contains first, then by what it is called. */
async function measure({ bytes, mediaType }: MediaFile): Promise<number> {
  if (/^audio\/(pcm|l16)\b/i.test(mediaType)) return bytes.length / rawRate;
  for (const type of [undefined, mediaType]) {
    const length = await readLength(bytes, type, false);
    if (length !== undefined) return length;
    const sample = bytes.subarray(0, sampleSize);
    const sampled = await readLength(sample, type, true);
    if (sampled !== undefined) return (sampled * bytes.length) / sample.length;
  }
  return bytes.length / assumedRate;
}

/** Seconds, estimated from the size where the file does not tell. */
export async function audioSeconds(file: MediaFile): Promise<number> {
  return Math.max(await measure(file), file.bytes.length / densestRate);
}
