/**
 * Requests that continue earlier responses (docs/rules/responses.md#continuing): they go to the
 * upstream that keeps the conversation, or the conversation is written into their body.
 */
import { AppError } from '../../kernel/errors.ts';
import type { StoredResponse } from '../../storage/storage.ts';
import { readCallerBody } from '../body/body-fields.ts';
import type { RequestBody } from '../body/request-body.ts';
import type { CallerContext } from '../context.ts';
import type { ConversationState, StateReferences } from '../formats/shared/conversation-state.ts';
import type { Continuation } from '../job.ts';

export interface Continued {
  readonly body: RequestBody;
  /** The response that the body continued by its id. */
  readonly previousId: string | undefined;
  /** Where the conversation is kept; absent: the body stands for itself. */
  readonly continuation?: Continuation;
  /** Tokens of a conversation that is not in the body: by experience, and at most. */
  readonly tokens: number;
  readonly mostTokens: number;
}

/**
 * Throws AppError previous_response_not_found, response_item_not_found, conversation_not_found,
 * request_too_large.
 */
export function continueResponse(
  context: CallerContext,
  state: ConversationState | undefined,
  body: RequestBody,
  model: string,
): Continued | Promise<Continued> {
  const references = state?.references(body);
  if (state === undefined || references === undefined)
    return { body, previousId: undefined, tokens: 0, mostTokens: 0 };
  return continueFrom(context, state, references, body, model);
}

/**
 * The body with what it continues written into it, for work that no upstream has a part in. Throws
 * AppError as {@link continueResponse}.
 */
export async function standingAlone(
  context: CallerContext,
  state: ConversationState | undefined,
  given: RequestBody,
): Promise<RequestBody> {
  const body = readable(state, given);
  const references = state?.references(body);
  if (state === undefined || references === undefined) return body;
  await context.deps.responses.findAll(context.caller.userId, references);
  return writeConversation(context, state, body, references);
}

/** The body without what only the gateway can read. */
export function readable(state: ConversationState | undefined, given: RequestBody): RequestBody {
  const edits = state?.expand(given);
  return edits === undefined ? given : readCallerBody(given.write(edits).bytes);
}

async function continueFrom(
  context: CallerContext,
  state: ConversationState,
  references: StateReferences,
  body: RequestBody,
  model: string,
): Promise<Continued> {
  const { previousId } = references;
  const found = await context.deps.responses.findAll(context.caller.userId, references);
  const rows = new Map<string, StoredResponse>();
  for (const row of [
    ...(found.previous === undefined ? [] : [found.previous]),
    ...found.items.values(),
  ])
    rows.set(row.responseId, row);
  const writeOut = () => writeConversation(context, state, body, references);
  const holder = holderOf([...rows.values()]);
  if (holder === undefined || !isCandidate(context, model, holder)) {
    return { body: await writeOut(), previousId, tokens: 0, mostTokens: 0 };
  }
  let written: Promise<RequestBody> | undefined;
  const tokens = [...rows.values()].map((row) => row.tokens);
  return {
    body,
    previousId,
    continuation: {
      channelId: holder.channelId,
      healthKey: holder.healthKey,
      isUnknown: state.isUnknown,
      writeOut: () => {
        written ??= writeOut();
        return written;
      },
    },
    // Responses of one conversation hold each other.
    tokens: tokens.reduce((most, one) => Math.max(most, one), 0),
    mostTokens: tokens.reduce((sum, one) => sum + one, 0),
  };
}

/** Undefined: no upstream has all of it. */
function holderOf(rows: readonly StoredResponse[]): StoredResponse | undefined {
  const [first] = rows;
  const agree = rows.every(({ held, channelId, healthKey }) => {
    return held && channelId === first?.channelId && healthKey === first.healthKey;
  });
  return agree ? first : undefined;
}

/**
 * Whether the channel may serve the request at all; whether it is available is known when it is
 * chosen.
 */
function isCandidate(
  { deps, group, pin }: CallerContext,
  model: string,
  { channelId }: StoredResponse,
): boolean {
  if (pin !== undefined) return pin === channelId;
  return deps.routing
    .tiers(group, model)
    .some(({ channels }) => channels.some(({ id }) => id === channelId));
}

/** Throws AppError request_too_large, too_much_in_flight, server_busy. */
async function writeConversation(
  { deps, caller, memory }: CallerContext,
  state: ConversationState,
  body: RequestBody,
  { previousId, itemIds }: StateReferences,
): Promise<RequestBody> {
  const { responses, limits } = deps;
  const claim = (size: number): void => {
    if (size > limits.maxBodyBytes) throw tooLarge(limits.maxBodyBytes);
    memory.takeBody(size);
  };
  const turns =
    previousId === undefined
      ? []
      : await responses.readConversation(caller.userId, previousId, claim);
  const others = await responses.readHolding(
    caller.userId,
    [...new Set([...itemIds, ...state.itemsIn(turns)])],
    claim,
  );
  const { bytes } = body.write(state.writeOut(body, turns, others));
  if (bytes.length > limits.maxBodyBytes) throw tooLarge(limits.maxBodyBytes);
  return readCallerBody(bytes);
}

function tooLarge(most: number): AppError {
  return new AppError('request_too_large', { limit: Math.floor(most / 1024 / 1024) });
}
