import type { StreamEvent } from '../pass-through.ts';

/** Cuts the raw bytes of a streamed reply into its events. */
export interface FrameReader {
  /**
   * Events that this chunk completed. Throws AppError('bad_response_body') when one line outgrows
   * the limit.
   */
  push(chunk: Uint8Array): StreamEvent[];
  /** What was still owed when the upstream closed. Call once. */
  end(): StreamEvent[];
}
