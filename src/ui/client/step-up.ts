/**
 * Sensitive calls wait until their user has confirmed, and are then made again
 * (docs/rules/accounts.md#step-up).
 */
import type { Transport } from '../../core/contract/client.ts';
import { isObject } from '../../core/kernel/json.ts';

/** Asks the user; resolves with false if the user left the question. */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
/** One question for all calls that wait. */
let asking: Promise<boolean> | undefined;

export function answerStepUps(by: Ask): void {
  ask = by;
}

export function withStepUp(transport: Transport): Transport {
  return async (call, input) => {
    const reply = await transport(call, input);
    if (!isObject(reply.body) || reply.body['code'] !== 'step_up_required' || ask === undefined)
      return reply;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return (await asking) ? transport(call, input) : reply;
  };
}
