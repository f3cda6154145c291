/**
 * A format whose API keeps conversations: requests refer to earlier responses instead of repeating
 * them.
 */
import type { ProviderError } from '../../../canonical/chat-reply.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { BodyEdits, RequestBody } from '../../body/request-body.ts';

/** What a body refers to. */
export interface StateReferences {
  /** The conversation that it goes on with. */
  readonly conversationId: string | undefined;
  /** The response that it continues. */
  readonly previousId: string | undefined;
  /** Output items of earlier responses. */
  readonly itemIds: readonly string[];
}

/** A turn of a conversation. */
export interface Turn {
  /** As the caller sent it; may refer to items of other turns. */
  readonly input: JsonValue;
  readonly response: JsonObject;
}

/** A turn of which only the response is known. */
export type AnsweredTurn = Pick<Turn, 'response'>;

/** An item with its id. */
export type NamedItem = JsonObject & { readonly id: string };

export interface FinishedResponse {
  readonly id: string;
  readonly status: string;
  readonly itemIds: readonly string[];
  readonly response: JsonObject;
}

export interface ConversationState {
  /** Edits that write what only the gateway can read; undefined: the body has nothing of it. */
  expand(body: RequestBody): BodyEdits | undefined;
  /** Undefined: the body stands for itself. Throws AppError invalid_request. */
  references(body: RequestBody): StateReferences | undefined;
  /** Whether the response to the body may be continued later. */
  keeps(body: RequestBody): boolean;
  /** The response, where the last bytes of a reply hold one that can be continued. */
  finishedIn(end: string): FinishedResponse | undefined;
  /** Items that the inputs of turns refer to. */
  itemsIn(turns: readonly Turn[]): readonly string[];
  /**
   * Edits that put the conversation into the body. `turns`: those it continues, the oldest first;
   * `others`: responses that hold the items it refers to. `conversation`: items that stand before
   * them. Throws AppError response_item_not_found.
   */
  writeOut(
    body: RequestBody,
    turns: readonly Turn[],
    others: readonly AnsweredTurn[],
    conversation?: readonly JsonObject[],
  ): BodyEdits;
  /** Chunks of a reply, or all of it, with the conversation that it is added to. */
  inConversation(bytes: Buffer, id: string): Buffer;
  /** What a response adds to its conversation: the request's own input, then the output. */
  addedItems(body: RequestBody, response: JsonObject, tail: () => string): readonly NamedItem[];
  /** Whether an upstream's error says that it does not know what the body refers to. */
  isUnknown(error: ProviderError): boolean;
}
