/** Streamed replies of providers that frame or complete the caller's wire format differently. */
import { createFrameReader } from '../../canonical/kit/frames.ts';
import type { PassThrough, StreamEvent } from '../../canonical/provider.ts';

/** A provider's way of writing its streamed replies as the caller's SSE. */
export type Rewrite = PassThrough<unknown>['rewrite'];

/** Pieces of the upstream's stream → pieces of the caller's. Throws AppError('bad_response_body') on broken framing. */
export function createRewrite({ framing, create }: NonNullable<Rewrite>) {
  const frames = createFrameReader(framing);
  const rewriter = create();
  const write = (events: readonly StreamEvent[]) => Buffer.from(events.map((event) => rewriter.push(event)).join(''));
  return { push: (chunk: Buffer) => write(frames.push(chunk)), end: () => write(frames.end()) };
}
