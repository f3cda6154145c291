import { setFlagsFromString } from 'node:v8';

/**
 * Tells V8 not to allocate objects in old space that it expects to live long; to be called before anything else is loaded. After a
 * full collection in the middle of traffic it expects that of objects of each request, and such a dead object in old space keeps the whole
 * request alive until the next full collection: every request was copied twice (docs/performance.md#request-memory).
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
