/**
 * One identifier per user towards vendors, so that what one customer does is not taken for what the
 * site does (docs/rules/channel-rules.md#send-user-hash).
 */
import type { EndUserField } from '../../canonical/provider.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import type { Attempt } from '../attempt.ts';
import type { BodyEdits, FieldReader } from '../body/request-body.ts';
import type { RelayJob } from '../job.ts';

export interface EndUser extends Pick<EndUserField, 'field'> {
  readonly hash: string;
}

/**
 * Undefined: the channel does not tell, or its vendor has no field for it. Conversations only.
 * `forwarded`: the wire that the body goes on in, where it is the caller's own.
 */
export function endUserOf(
  { deps, caller, format }: Pick<RelayJob, 'deps' | 'caller' | 'format'>,
  { channel: { rules, provider } }: Attempt,
  forwarded?: WireFormat,
): EndUser | undefined {
  if (!rules.sendsUserHash || provider.endUser === undefined || format.kind !== 'conversation')
    return undefined;
  // Several vendors speak Anthropic's wire beside their own, with its own field.
  const field = forwarded === 'anthropic-messages' ? 'metadata.user_id' : provider.endUser.field;
  return { field, hash: deps.storage.vault.hash(`end user ${caller.userId}`) };
}

/** What a caller wrote into the field is replaced: it could be anybody's. */
export function endUserEdits(endUser: EndUser | undefined, field: FieldReader): BodyEdits {
  if (endUser === undefined) return none;
  if (endUser.field !== 'metadata.user_id') return { [endUser.field]: endUser.hash };
  const metadata = field('metadata');
  const others = isObject(metadata) ? (metadata as JsonObject) : {};
  return { metadata: { ...others, user_id: endUser.hash } };
}

/** Names of a caller's that become the user's own. */
export interface OwnNames {
  readonly fields: readonly string[];
  readonly owner: string;
}

/** Undefined: the vendor keeps nothing by names of callers. */
export function ownNamesOf(
  { deps, caller }: Pick<RelayJob, 'deps' | 'caller'>,
  { channel: { provider } }: Attempt,
): OwnNames | undefined {
  if (provider.ownNames === undefined) return undefined;
  const owner = deps.storage.vault.hash(`names of user ${caller.userId}`).slice(0, ownerLength);
  return { fields: provider.ownNames.fields, owner };
}

const ownerLength = 16;

/** A name that the vendor returned has its owner already. */
export function ownNameEdits(own: OwnNames | undefined, field: FieldReader): BodyEdits {
  if (own === undefined) return none;
  const edits: Record<string, string> = {};
  for (const name of own.fields) {
    const value = field(name);
    if (typeof value !== 'string' || value === '' || value.startsWith(`${own.owner}-`)) continue;
    edits[name] = `${own.owner}-${value}`;
  }
  return edits;
}

const none: BodyEdits = {};
