import { recordRefusedRequest } from '../charge/record-outcome.ts';
import type { CallerContext } from '../context.ts';
import { asAppError } from '../failure.ts';

/** Counts what `serve` throws: a request that was refused before a channel was tried (docs/rules/usage-logs.md#outcomes). */
export async function countingRefusals(context: CallerContext, serve: () => Promise<void>): Promise<void> {
  try {
    await serve();
  } catch (error) {
    recordRefusedRequest(context, asAppError(error));
    throw error;
  }
}
