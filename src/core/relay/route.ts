/** What a path of the relay stands for. */
import type { ApiFamily } from './formats/families/api-family.ts';
import type { CallerFormat, ConversationFormat } from './formats/shared/caller-format.ts';

/** A conversation format whose API can count tokens. */
export type CountingFormat = ConversationFormat & Required<Pick<ConversationFormat, 'tokenCount'>>;

/** What is asked of a stored response. */
export type StoredResponseAction = 'read' | 'delete' | 'cancel' | 'input-items';

export type RouteKind =
  | { readonly kind: 'relay'; readonly format: CallerFormat }
  | { readonly kind: 'count-tokens'; readonly format: CountingFormat }
  | { readonly kind: 'model-list' }
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'stored-response'; readonly action: StoredResponseAction; readonly id: string }
  | { readonly kind: 'billing'; readonly figure: 'subscription' | 'usage' }
  | { readonly kind: 'websocket-only'; readonly serves: 'realtime' | 'responses' }
  | { readonly kind: 'not-implemented' }
  | { readonly kind: 'hello' }
  | { readonly kind: 'unknown' };

export interface Route {
  readonly kind: RouteKind;
  /** Whose error bodies the caller reads. */
  readonly family: ApiFamily;
  /** Who may call: holders of tokens, or signed-in users of the console. Absent: holders of tokens. */
  readonly login?: 'console';
  /** Path without query. */
  readonly path: string;
  /** The model that the path names. */
  readonly model?: string;
}
