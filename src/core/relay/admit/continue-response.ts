/**
 * Requests that continue earlier responses (docs/rules/responses.md#continuing): they go to the
 * upstream that keeps the conversation, or the conversation is written into their body.
 */
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { StoredResponse } from '../../storage/storage.ts';
import { readCallerBody } from '../body/body-fields.ts';
import type { RequestBody } from '../body/request-body.ts';
import type { CallerContext } from '../context.ts';
import type { ConversationState, StateReferences } from '../formats/shared/conversation-state.ts';
import type { Continuation } from '../job.ts';
import type { OpenConversation } from '../stored-responses/conversation-store.ts';

export interface Continued {
  readonly body: RequestBody;
  /** The response that the body continued by its id. */
  readonly previousId: string | undefined;
  /** Names the conversation that it goes on with. Absent: nothing is known of an earlier one. */
  readonly name?: string;
  /** The conversation that was written into the body: to be closed when the request is over. */
  readonly conversation?: OpenConversation;
  /** Where the conversation is kept; absent: the body stands for itself. */
  readonly continuation?: Continuation;
  /** Tokens of a conversation that is not in the body: by experience, and at most. */
  readonly tokens: number;
  readonly mostTokens: number;
}

/**
 * Throws AppError previous_response_not_found, response_item_not_found, conversation_not_found,
 * conversation_locked, request_too_large.
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
  const { deps, caller } = context;
  const { conversationId } = references;
  const items =
    conversationId === undefined
      ? []
      : await deps.conversations.read({ userId: caller.userId, conversationId }, claimIn(context));
  const others = outside(references, items);
  await deps.responses.findAll(caller.userId, others);
  return writeConversation(context, state, body, others, items);
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
  const { previousId, conversationId } = references;
  if (conversationId !== undefined)
    return goOnWith(context, state, { ...references, conversationId }, body);
  const found = await context.deps.responses.findAll(context.caller.userId, references);
  const rows = new Map<string, StoredResponse>();
  for (const row of [
    ...(found.previous === undefined ? [] : [found.previous]),
    ...found.items.values(),
  ])
    rows.set(row.responseId, row);
  const name = found.previous?.conversation || undefined;
  const writeOut = () => writeConversation(context, state, body, references);
  const holder = holderOf([...rows.values()]);
  if (holder === undefined || !isCandidate(context, model, holder)) {
    return { body: await writeOut(), previousId, name, tokens: 0, mostTokens: 0 };
  }
  let written: Promise<RequestBody> | undefined;
  const tokens = [...rows.values()].map((row) => row.tokens);
  return {
    body,
    previousId,
    name,
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

/** A conversation is kept here: it is always written out. */
async function goOnWith(
  context: CallerContext,
  state: ConversationState,
  references: StateReferences & { readonly conversationId: string },
  body: RequestBody,
): Promise<Continued> {
  const { deps, caller } = context;
  const key = { userId: caller.userId, conversationId: references.conversationId };
  const conversation = await deps.conversations.open(key, claimIn(context));
  try {
    const others = outside(references, conversation.items);
    await deps.responses.findAll(caller.userId, others);
    return {
      body: await writeConversation(context, state, body, others, conversation.items),
      previousId: undefined,
      conversation,
      tokens: 0,
      mostTokens: 0,
    };
  } catch (error) {
    await conversation.close();
    throw error;
  }
}

/** References to items that the conversation does not have. */
function outside(references: StateReferences, items: readonly JsonObject[]): StateReferences {
  const ids = new Set(items.map((item) => item['id']));
  return { ...references, itemIds: references.itemIds.filter((id) => !ids.has(id)) };
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
  context: CallerContext,
  state: ConversationState,
  body: RequestBody,
  { previousId, itemIds }: StateReferences,
  conversation: readonly JsonObject[] = [],
): Promise<RequestBody> {
  const { deps, caller } = context;
  const { responses, limits } = deps;
  const claim = claimIn(context);
  const turns =
    previousId === undefined
      ? []
      : await responses.readConversation(caller.userId, previousId, claim);
  const others = await responses.readHolding(
    caller.userId,
    [...new Set([...itemIds, ...state.itemsIn(turns)])],
    claim,
  );
  const { bytes } = body.write(state.writeOut(body, turns, others, conversation));
  if (bytes.length > limits.maxBodyBytes) throw tooLarge(limits.maxBodyBytes);
  return readCallerBody(bytes);
}

/** Counts what is read for the request. The function throws AppError as {@link writeConversation}. */
function claimIn({ deps, memory }: CallerContext): (size: number) => void {
  const { maxBodyBytes } = deps.limits;
  return (size) => {
    if (size > maxBodyBytes) throw tooLarge(maxBodyBytes);
    memory.takeBody(size);
  };
}

function tooLarge(most: number): AppError {
  return new AppError('request_too_large', { limit: Math.floor(most / 1024 / 1024) });
}
