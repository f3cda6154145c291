import type { Picture } from './countable.ts';

export interface CountRequest {
  readonly texts: readonly string[];
  readonly pictures: readonly Picture[];
  readonly model: string;
}

/** Tokens. */
export interface CountReply {
  readonly texts: number;
  readonly pictures: number;
}
