/** Statuses of tokens that a request found out. Nobody waits for them to be written. */
import type { Caller } from '../tokens/token-directory.ts';
import { tokenStatuses } from '../vocabulary/statuses.ts';
import type { RelayContext } from './context.ts';

function noteStatus(context: RelayContext, caller: Caller, status: number): void {
  const { storage, changes, logger } = context.deps;
  storage.tokens
    .setStatus(caller.tokenId, caller.tokenStatus, status)
    .then((written) => (written ? changes.announce('token', caller.tokenId) : undefined))
    .catch((error: unknown) =>
      logger.warn({ error, token: caller.tokenId }, 'the status of a token could not be written'),
    );
}

/** Marks a token as used up, once the ledger said so. */
export function noteExhausted(context: RelayContext, caller: Caller): void {
  noteStatus(context, caller, tokenStatuses.exhausted);
}

export function noteExpired(context: RelayContext, caller: Caller): void {
  noteStatus(context, caller, tokenStatuses.expired);
}
