/** Who is calling, and whether they may (spec, relay 3; agent-clients 1.3). */
import { nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Caller, TokenDirectory } from '../../tokens/token-directory.ts';
import { isAdmin } from '../../vocabulary/roles.ts';
import { tokenStatuses, userStatuses } from '../../vocabulary/statuses.ts';
import type { CallerContext, ClientRequest, RelayContext } from '../context.ts';

interface Credential {
  /** 48 characters, without `sk-`. */
  readonly key: string;
  /** The part behind the next dash: a channel an administrator pins. */
  readonly pin: string;
}

function readCredential(text: string): Credential | undefined {
  const bare = text.replace(/^bearer(\s+|$)/i, '').trim();
  if (bare === '') return undefined;
  const [key = '', pin = ''] = (bare.startsWith('sk-') ? bare.slice(3) : bare).split('-');
  return { key, pin };
}

/** Every place a key may stand in, best first; the same key in two places is one. */
function credentialsOf(request: Pick<ClientRequest, 'headers' | 'url'>): readonly Credential[] {
  const { headers } = request;
  const protocol = headers['sec-websocket-protocol'];
  const texts = [
    headers.authorization,
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
    if (credential !== undefined && !found.some((other) => other.key === credential.key)) found.push(credential);
  }
  return found;
}

/** Of several different values the one that is a token of ours (spec, agent-clients 1.3). */
async function findCaller(
  directory: TokenDirectory,
  credentials: readonly Credential[],
): Promise<{ caller: Caller; pin: string }> {
  if (credentials.length === 0) throw new AppError('token_missing');
  for (const { key, pin } of credentials) {
    const found = directory.find(key);
    const caller = found instanceof Promise ? await found : found;
    if (caller !== undefined) return { caller, pin };
  }
  throw new AppError('token_unknown');
}

/** Writes a status the checks found out; the answer does not wait for it. */
function noteStatus(context: RelayContext, caller: Caller, status: number): void {
  const { storage, changes, logger } = context.deps;
  storage.tokens
    .setStatus(caller.tokenId, caller.tokenStatus, status)
    .then((written) => (written ? changes.announce('token', caller.tokenId) : undefined))
    .catch((error: unknown) => logger.warn({ error, token: caller.tokenId }, 'the status of a token could not be written'));
}

/** Marks a token as used up, once the ledger said so. */
export function noteExhausted(context: RelayContext, caller: Caller): void {
  noteStatus(context, caller, tokenStatuses.exhausted);
}

function checkToken(context: RelayContext, caller: Caller): void {
  if (caller.tokenStatus === tokenStatuses.exhausted) throw new AppError('token_exhausted');
  if (caller.tokenStatus === tokenStatuses.expired) throw new AppError('token_expired');
  if (caller.tokenStatus !== tokenStatuses.enabled) throw new AppError('token_disabled');
  if (caller.expiredTime !== -1 && caller.expiredTime < nowSeconds(context.deps.clock)) {
    noteStatus(context, caller, tokenStatuses.expired);
    throw new AppError('token_expired');
  }
}

function readPin(caller: Caller, pin: string): number | undefined {
  if (pin === '') return undefined;
  if (!isAdmin(caller.role)) throw new AppError('channel_pin_forbidden');
  if (!/^[1-9]\d{0,14}$/.test(pin)) throw new AppError('channel_pin_invalid');
  return Number(pin);
}

/** The token's group, else the user's own; it must be usable by the user and have a ratio. */
function chooseGroup(context: RelayContext, caller: Caller): string {
  const { usableGroups, prices } = context.policy;
  const group = caller.tokenGroup === '' ? caller.userGroup : caller.tokenGroup;
  if (group !== caller.userGroup && !Object.hasOwn(usableGroups, group)) throw new AppError('group_not_allowed', { group });
  if (!prices.groupRatio.has(group)) throw new AppError('group_retired', { group });
  return group;
}

/** Throws AppError with the codes of spec, relay 3, in the order given there. */
export async function authenticate(context: RelayContext): Promise<CallerContext> {
  const { caller, pin: pinText } = await findCaller(context.deps.directory, credentialsOf(context.request));
  checkToken(context, caller);
  if (caller.deactivated) throw new AppError('user_deactivated');
  if (caller.userStatus !== userStatuses.active) throw new AppError('user_banned');
  const pin = readPin(caller, pinText);
  if (caller.addresses !== null && !caller.addresses.allows(context.address)) throw new AppError('ip_not_allowed');
  return { ...context, caller, group: chooseGroup(context, caller), pin };
}
