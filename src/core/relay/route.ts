/** What a path of the relay stands for. */
import type { CallerFormat, ConversationFormat } from './formats/shared/caller-format.ts';
import type { RequestedPath } from './requested-path.ts';
import type { CallerTaskCall, OpenTaskCall } from './task-call.ts';

/** A conversation format whose API can count tokens. */
export type CountingFormat = ConversationFormat & Required<Pick<ConversationFormat, 'tokenCount'>>;

/** What a request does with a stored response. */
export type StoredResponseAction = 'read' | 'delete' | 'cancel' | 'input-items';

/** A call of `/v1/conversations`; `id` and `itemId` are '' where the path has none. */
export interface ConversationCall {
  readonly action:
    | 'create'
    | 'read'
    | 'update'
    | 'delete'
    | 'add-items'
    | 'list-items'
    | 'read-item'
    | 'delete-item';
  readonly id: string;
  readonly itemId: string;
}

export type RouteKind =
  | { readonly kind: 'relay'; readonly format: CallerFormat }
  | { readonly kind: 'count-tokens'; readonly format: CountingFormat }
  | { readonly kind: 'task'; readonly call: CallerTaskCall }
  | { readonly kind: 'open-task'; readonly call: OpenTaskCall }
  | { readonly kind: 'model-list' }
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'stored-response'; readonly action: StoredResponseAction; readonly id: string }
  | { readonly kind: 'conversation'; readonly call: ConversationCall }
  | { readonly kind: 'billing'; readonly figure: 'subscription' | 'usage' }
  | { readonly kind: 'websocket-only'; readonly serves: 'realtime' | 'responses' }
  | { readonly kind: 'not-implemented' }
  | { readonly kind: 'hello' }
  | { readonly kind: 'unknown' };

export interface Route extends RequestedPath {
  readonly kind: RouteKind;
}
