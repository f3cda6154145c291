/**
 * Callers who are signed in to the console instead of holding a token
 * (docs/rules/relay.md#playground).
 */
import { AppError } from '../../kernel/errors.ts';
import { callerWithoutToken } from '../../tokens/token-directory.ts';
import { headerText } from '../../upstream/exchange.ts';
import { type Body, readCallerBody } from '../body/body-fields.ts';
import type { CallerContext, RelayContext } from '../context.ts';
import { requireUsableGroup } from './authenticate.ts';
import { readJsonBody } from './read-format-body.ts';

/** The name in place of a token's in logs. */
const tokenName = (group: string) => `playground-${group}`;

/**
 * The signed-in user, in the group of the account until the body is read ({@link
 * readConsoleRequest}). Throws what {@link ConsoleLogin} throws.
 */
export async function authenticateConsole(context: RelayContext): Promise<CallerContext> {
  const user = await context.deps.consoleLogin(context.request.headers, context.address);
  const caller = callerWithoutToken(user, tokenName(user.group));
  return {
    ...context,
    caller,
    group: user.group,
    pin: undefined,
    memory: context.deps.memory.open(user.id),
  };
}

export interface ConsoleRequest {
  /** The caller in the group of the request. */
  readonly context: CallerContext;
  /** Without `group`, which no upstream knows. */
  readonly body: Body;
}

/**
 * The body, and the group that it names; empty: the user's own. Throws AppError invalid_json,
 * group_not_allowed, group_retired.
 */
export async function readConsoleRequest(context: CallerContext): Promise<ConsoleRequest> {
  const given = await readJsonBody(context);
  const named = given.get('group') ?? '';
  if (typeof named !== 'string') throw new AppError('group_not_allowed');
  const group = named === '' ? context.caller.userGroup : named;
  requireUsableGroup(context, context.caller.userGroup, group);
  const lend = (bytes: number) => context.memory.lend(bytes);
  const body = given.has('group') ? readCallerBody(given.edit({ group: undefined }), lend) : given;
  const key = headerText(context.request.headers, 'x-playground-key') ?? '';
  return {
    context: {
      ...context,
      caller: { ...context.caller, tokenName: tokenName(group) },
      group,
      ...(/^[\w-]{1,64}$/.test(key) && { playgroundKey: key }),
    },
    body,
  };
}
