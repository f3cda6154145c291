import { hash } from 'node:crypto';
import type { Subjects } from '../../budgets/budget-gate.ts';
import type { BodyFields } from '../../canonical/pass-through.ts';
import type { CallerContext } from '../context.ts';
import { affinityKey } from '../select/affinity-key.ts';
import { agentOf, beginningOf } from '../select/beginning.ts';
import type { Continued } from './continue-response.ts';
import { repeatsIn } from './model-turns.ts';

/** Characters of a hash: enough that no two conversations of a user share one by chance. */
const nameLength = 22;

/**
 * The conversation of a request, recognised as affinity does or by what it goes on with, and its agent,
 * each of one user (docs/rules/budgets.md#each). Nothing is read before it is called for.
 */
export function subjectsOf(
  { caller, request }: Pick<CallerContext, 'caller' | 'request'>,
  given: BodyFields,
  { body, name, conversation, continuation }: Continued,
): Subjects {
  const nameOf = (key: string | undefined) =>
    key === undefined
      ? undefined
      : hash('sha256', `${caller.userId} ${key}`, 'base64url').slice(0, nameLength);
  // It is a hash already.
  const ownName = (found: string | undefined) =>
    found === undefined ? undefined : `${caller.userId}.${found.slice(0, nameLength)}`;
  return {
    conversation: () => {
      const key = affinityKey(request.headers, given) ?? conversation?.id;
      return key === undefined ? (name ?? ownName(beginningOf(given)?.hash)) : nameOf(key);
    },
    agent: () => ownName(agentOf(given)),
    // Where its vendor keeps it, it is read once more. One that is kept nowhere here has no turns.
    repeats: () =>
      continuation === undefined
        ? repeatsIn(body)
        : continuation.writeOut().then(repeatsIn, () => 1),
  };
}
