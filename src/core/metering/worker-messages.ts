import type { Image } from './countable.ts';

export interface CountRequest {
  readonly texts: readonly string[];
  readonly images: readonly Image[];
  readonly model: string;
}

/** Tokens. */
export interface CountReply {
  readonly texts: number;
  readonly images: number;
}
