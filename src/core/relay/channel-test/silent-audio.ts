import { wavFile } from '../../canonical/kit/wav.ts';

const sampleRate = 16_000;
/** Seconds; some upstreams refuse shorter audio. */
const duration = 0.5;

/** A WAV file of silence. */
export function silentAudio(): Uint8Array {
  return wavFile(new Uint8Array(sampleRate * duration * 2), sampleRate);
}
