/** Who is calling, and whether they may (docs/rules/relay.md#token-checks). */
import { nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { checkAddress, checkOwner, checkToken, hasRunOut } from '../../tokens/check-caller.ts';
import type { Caller, TokenDirectory } from '../../tokens/token-directory.ts';
import { isAdmin } from '../../vocabulary/roles.ts';
import type { ClientRequest } from '../client/client.ts';
import type { CallerContext, RelayContext } from '../context.ts';
import { noteExpired } from '../token-status.ts';

interface Credential {
  /** 48 characters, without `sk-`. */
  readonly key: string;
  /** The part behind the next dash: a channel an administrator pins. */
  readonly pin: string;
  /** With all dashes: keys that came from another program may have some. */
  readonly whole: string;
}

function readCredential(text: string): Credential | undefined {
  const bare = text.replace(/^bearer(\s+|$)/i, '').trim();
  if (bare === '') return undefined;
  const whole = bare.startsWith('sk-') ? bare.slice(3) : bare;
  const [key = '', pin = ''] = whole.split('-');
  return { key, pin, whole };
}

/**
 * The keys of a request, from every place clients put them, best first
 * (docs/rules/relay.md#key-sources); the same key in two places is one.
 */
function credentialsOf(request: Pick<ClientRequest, 'headers' | 'url'>): readonly Credential[] {
  const { headers } = request;
  const protocol = headers['sec-websocket-protocol'];
  const texts = [
    headers.authorization,
    headers['mj-api-secret'],
    headers['x-api-key'],
    headers['x-goog-api-key'],
    protocol === undefined ? undefined : /openai-insecure-api-key\.([^\s,]+)/.exec(protocol)?.[1],
    request.url?.includes('?')
      ? (new URLSearchParams(request.url.slice(request.url.indexOf('?'))).get('key') ?? undefined)
      : undefined,
  ];
  const found: Credential[] = [];
  for (const text of texts) {
    const credential = typeof text === 'string' ? readCredential(text) : undefined;
    if (credential !== undefined && !found.some((other) => other.whole === credential.whole))
      found.push(credential);
  }
  return found;
}

/** Clients may send several keys: the first one that is a token of this site counts. */
async function findCaller(
  directory: TokenDirectory,
  credentials: readonly Credential[],
): Promise<{ caller: Caller; pin: string }> {
  if (credentials.length === 0) throw new AppError('token_missing');
  for (const { key, pin, whole } of credentials) {
    const found = directory.find(key);
    const caller = found instanceof Promise ? await found : found;
    if (caller !== undefined) return { caller, pin };
    const other = whole === key ? undefined : await directory.find(whole);
    if (other !== undefined) return { caller: other, pin: '' };
  }
  throw new AppError('token_unknown');
}

function readPin(caller: Caller, pin: string): number | undefined {
  if (pin === '') return undefined;
  if (!isAdmin(caller.role)) throw new AppError('channel_pin_forbidden');
  if (!/^[1-9]\d{0,14}$/.test(pin)) throw new AppError('channel_pin_invalid');
  return Number(pin);
}

/** The token's group, else the user's own; it must be usable by the user and have a ratio. */
function chooseGroup(context: RelayContext, caller: Caller): string {
  const group = caller.tokenGroup === '' ? caller.userGroup : caller.tokenGroup;
  requireUsableGroup(context, caller.userGroup, group);
  return group;
}

/** Throws AppError group_not_allowed, group_retired. */
export function requireUsableGroup(
  { policy }: Pick<RelayContext, 'policy'>,
  userGroup: string,
  group: string,
): void {
  const { usableGroups, prices } = policy;
  if (group !== userGroup && !Object.hasOwn(usableGroups, group))
    throw new AppError('group_not_allowed', { group });
  if (!prices.groupRatio.has(group)) throw new AppError('group_retired', { group });
}

/** Throws AppError: token_*, user_*, channel_pin_*, ip_not_allowed, group_*, in that order. */
export async function authenticate(context: RelayContext): Promise<CallerContext> {
  const { caller, pin: pinText } = await findCaller(
    context.deps.directory,
    credentialsOf(context.request),
  );
  const now = nowSeconds(context.deps.clock);
  if (hasRunOut(caller, now)) noteExpired(context, caller);
  checkToken(caller, now);
  checkOwner(caller);
  const pin = readPin(caller, pinText);
  checkAddress(caller, context.address);
  const group = chooseGroup(context, caller);
  return { ...context, caller, group, pin, memory: context.deps.memory.open(caller.userId) };
}
