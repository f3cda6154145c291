import type { NewStoredResponse } from './stored-response.ts';

/** A response is named by its owner and its id. */
export interface ResponseKey {
  readonly userId: number;
  readonly responseId: string;
}

/** A row of `background_responses`: a stored response that a gateway works or worked on. */
export interface BackgroundResponse extends ResponseKey {
  /** The process that works on it. */
  readonly owner: string;
  /** `queued` or `in_progress`, then how it ended. */
  readonly status: string;
  /** Its events are kept. */
  readonly streamed: boolean;
  /** Number of the last event that is kept; −1: none is. */
  readonly lastNumber: number;
  /** Unix seconds until which the process works on it without saying so again; 0: it has ended. */
  readonly leaseUntil: number;
}

/** Consecutive events of a response, sealed by the repository. */
export interface ResponseEvents extends ResponseKey {
  readonly firstNumber: number;
  readonly lastNumber: number;
  readonly events: string;
}

/** How a response ended. */
export type EndedResponse = Pick<
  NewStoredResponse,
  | 'userId'
  | 'responseId'
  | 'status'
  | 'response'
  | 'responseSize'
  | 'tokens'
  | 'channelId'
  | 'healthKey'
  | 'itemIds'
>;

export interface BackgroundResponseRepository {
  /**
   * Stores the response and its row in one transaction. False, with nothing stored: the user has
   * `most` responses under way at `now`, in Unix seconds.
   */
  begin(
    response: NewStoredResponse,
    row: Pick<BackgroundResponse, 'owner' | 'streamed' | 'leaseUntil'>,
    limit: { readonly most: number; readonly now: number },
  ): Promise<boolean>;
  find(key: ResponseKey): Promise<BackgroundResponse | null>;
  /** It is `in_progress` now, unless it has ended. */
  start(key: ResponseKey): Promise<void>;
  /** Renews the leases of a process, and returns the responses that it is still to work on. */
  renew(owner: string, leaseUntil: number): Promise<readonly ResponseKey[]>;
  /** Does nothing where the response has ended or was deleted. */
  addEvents(events: ResponseEvents): Promise<void>;
  /** Pieces with events after the number, in their order, at most `limit`. */
  listEvents(key: ResponseKey, after: number, limit: number): Promise<readonly ResponseEvents[]>;
  /**
   * Stores the end and the last events in one transaction. False, with nothing stored: it ended
   * before, or was deleted.
   */
  end(response: EndedResponse, last?: ResponseEvents): Promise<boolean>;
  /**
   * Responses under way whose lease ended before `now`, or that are not `owner`'s, the longest lost
   * first, without the first `passed`.
   */
  listLost(
    now: number,
    only: { readonly owner?: string },
    limit: number,
    passed?: number,
  ): Promise<readonly BackgroundResponse[]>;
}
