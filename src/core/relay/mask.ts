/** The mask of upstreams' words, which the poller of tasks applies, too. */
export { type Mask, maskError, maskMessage, maskOf, maskValue } from '../upstream/mask.ts';
