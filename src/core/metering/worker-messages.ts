import type { TokenFamily } from '../pricing/estimate-tokens.ts';
import type { Image } from './countable.ts';
import type { Encoding } from './encoding.ts';
import type { ImageRule } from './image-tokens.ts';

export interface CountRequest {
  /** Names its reply: one that came too late belongs to nobody. */
  readonly id: number;
  readonly texts: readonly string[];
  readonly images: readonly Image[];
  /** What the site knows of the model: the thread knows only what is built in. */
  readonly encoding: Encoding | undefined;
  readonly family: TokenFamily;
  readonly imageRule: ImageRule | undefined;
}

/** Tokens. */
export interface CountReply {
  readonly id: number;
  readonly texts: number;
  readonly images: number;
}
