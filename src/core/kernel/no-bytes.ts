/** No bytes at all, shared: each `Buffer.alloc(0)` would be an allocation outside the heap. */
export const noBytes: Buffer = Buffer.alloc(0);
