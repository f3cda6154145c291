/** A request that was read, checked and held for: what every attempt on a channel works from. */
import type { ProviderError } from '../canonical/chat-reply.ts';
import type { Usage } from '../canonical/usage.ts';
import type { Quota } from '../kernel/quota.ts';
import type { ClientPart } from '../upstream/channel.ts';
import type { AttemptOutcome } from './attempt.ts';
import type { RequestBody } from './body/request-body.ts';
import type { CallerContext } from './context.ts';
import type { CallerFormat } from './formats/shared/caller-format.ts';
import type { OpenConversation } from './stored-responses/conversation-store.ts';

/** The money of a request, as far as its attempts need it. */
export interface JobBill {
  /** Whether speech must be measured before it is charged. */
  readonly countsSpeech: boolean;
  /** Charges; resolves when the charge is on disk, with the usage it was made for. */
  settle(outcome: AttemptOutcome): Promise<Usage | undefined>;
  /** What was charged; 0 until it is settled. */
  readonly charged: Quota;
  /** Gives the hold back. Safe to call after a settlement. */
  release(): Promise<void>;
}

/** A conversation that continues where an upstream keeps it (docs/rules/responses.md#holder). */
export interface Continuation {
  readonly channelId: number;
  /** Health key of the API key that has it. */
  readonly healthKey: string;
  /** Whether an upstream's error says that it does not have it any more. */
  isUnknown(error: ProviderError): boolean;
  /**
   * The body with the conversation in it, for all other channels. Throws AppError where its content
   * is not kept.
   */
  writeOut(): Promise<RequestBody>;
}

export interface RelayJob extends CallerContext {
  readonly format: CallerFormat;
  readonly body: RequestBody;
  /** The name the caller requested. */
  readonly model: string;
  readonly stream: boolean;
  /** The caller requested a usage chunk. */
  readonly includeUsage: boolean;
  /** Estimated from the size of the body. */
  readonly promptTokens: number;
  /** What of the caller's request is sent on besides its body. */
  readonly clientPart: ClientPart;
  readonly bill: JobBill;
  /** The response that the caller continues by its id. */
  readonly previousId?: string;
  /** The conversation as budgets know it; absent or undefined: none. */
  readonly conversationName?: () => string | undefined;
  /** The conversation that the response is added to; closed when the request is over. */
  readonly conversation?: OpenConversation;
  /** Absent: the body stands for itself, on any channel. */
  readonly continuation?: Continuation;
  /**
   * Once the end of the reply was given: resolves when it has been sent, if it waits for its
   * response to be stored.
   */
  readonly kept?: () => Promise<void> | undefined;
  /** A test of a channel: nobody pays. */
  readonly isTest?: boolean;
}
