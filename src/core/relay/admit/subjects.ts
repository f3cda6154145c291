import { createHash } from 'node:crypto';
import type { Subjects } from '../../budgets/budget-gate.ts';
import type { BodyFields } from '../../canonical/provider.ts';
import type { CallerContext } from '../context.ts';
import { affinityKey } from '../select/affinity-key.ts';
import { agentOf, beginningOf } from '../select/beginning.ts';
import { modelTurns } from './model-turns.ts';

/** Characters of a hash: enough that no two conversations of a user share one by chance. */
const nameLength = 22;

/**
 * The conversation of a request, recognised as affinity does, and its agent, each of one user
 * (docs/rules/budgets.md#each). `whole` has the turns of earlier responses, too. Nothing is read
 * before it is called for.
 */
export function subjectsOf(
  { caller, request }: Pick<CallerContext, 'caller' | 'request'>,
  body: BodyFields,
  whole: BodyFields,
): Subjects {
  const nameOf = (key: string | undefined) =>
    key === undefined
      ? undefined
      : createHash('sha256')
          .update(`${caller.userId} ${key}`)
          .digest('base64url')
          .slice(0, nameLength);
  return {
    conversation: () => nameOf(affinityKey(request.headers, body) ?? beginningOf(body)?.hash),
    agent: () => nameOf(agentOf(body)),
    turns: () => modelTurns(whole),
  };
}
