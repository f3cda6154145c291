/**
 * Callers who are signed in to the console instead of holding a token
 * (docs/rules/relay.md#playground).
 */
import { AppError } from '../../kernel/errors.ts';
import { callerWithoutToken } from '../../tokens/token-directory.ts';
import { headerText } from '../../upstream/exchange.ts';
import { readCallerBody } from '../body/body-fields.ts';
import { readForm } from '../body/form-body.ts';
import type { RequestBody } from '../body/request-body.ts';
import type { CallerContext, RelayContext } from '../context.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';
import { requireUsableGroup } from './authenticate.ts';
import { readFormatBody } from './read-format-body.ts';

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
  readonly body: RequestBody;
}

/**
 * The body, and the group that it names; empty: the user's own. Throws AppError invalid_json,
 * group_not_allowed, group_retired.
 */
export async function readConsoleRequest(
  context: CallerContext,
  format: Pick<CallerFormat, 'form'> = {},
): Promise<ConsoleRequest> {
  const given = await readFormatBody(context, format);
  const named = given.get('group') ?? '';
  if (typeof named !== 'string') throw new AppError('group_not_allowed');
  const group = named === '' ? context.caller.userGroup : named;
  requireUsableGroup(context, context.caller.userGroup, group);
  const body = given.has('group') ? await withoutGroup(context, given) : given;
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

async function withoutGroup(context: CallerContext, given: RequestBody): Promise<RequestBody> {
  const { bytes, contentType } = given.write({ group: undefined });
  if (contentType !== undefined) return readForm(bytes, contentType);
  return readCallerBody(bytes, (size) => context.memory.lend(size));
}
