/**
 * Prompt tokens of an image (docs/rules/metering.md#image-input-tokens; OpenAI's guide to images).
 */
import { bareModelName, factsOf } from '../models/known-models.ts';
import type { ModelFacts } from '../models/schema.ts';

/** Pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export type ImageRule = NonNullable<ModelFacts['imageTokens']>;

/** Undefined: of a vendor without a rule. */
export function imageRuleOf(model: string): ImageRule | undefined {
  return factsOf(bareModelName(model)).imageTokens;
}

const patchSide = 32;
const mostPatches = 1536;

/** An image of too many patches is made smaller until whole ones cover it. */
function patchesOf({ width, height }: ImageSize): number {
  const patches = (w: number, h: number) => Math.ceil(w / patchSide) * Math.ceil(h / patchSide);
  if (patches(width, height) <= mostPatches) return patches(width, height);
  const shrink = Math.sqrt((patchSide ** 2 * mostPatches) / (width * height));
  const across = (width * shrink) / patchSide;
  const down = (height * shrink) / patchSide;
  const fit = Math.min(
    Math.max(1, Math.floor(across)) / across,
    Math.max(1, Math.floor(down)) / down,
  );
  // Rounded first: a whole number of patches must not become one more.
  return Math.min(
    mostPatches,
    Math.ceil(Number((across * fit).toFixed(6))) * Math.ceil(Number((down * fit).toFixed(6))),
  );
}

const largestSide = 2048;
const shortSide = 768;
const tileSide = 512;

/** Scaled so that the short side is 768 and the long side at most 2048. */
function tilesOf({ width, height }: ImageSize): number {
  const scale = Math.min(
    shortSide / Math.min(width, height),
    largestSide / Math.max(width, height),
  );
  const tiles = (side: number) => Math.max(1, Math.ceil(Math.round(side * scale) / tileSide));
  return tiles(width) * tiles(height);
}

/**
 * `size` undefined: by an address (nothing is downloaded to be counted) or of an unknown kind,
 * three times the base. Undefined for models of vendors without a rule.
 */
export function imageTokens(
  model: string,
  size: ImageSize | undefined,
  detail?: string,
): number | undefined {
  const rule = imageRuleOf(model);
  return rule && tokensByRule(rule, size, detail);
}

export function tokensByRule(
  rule: ImageRule,
  size: ImageSize | undefined,
  detail?: string,
): number {
  const { base, tile, patchFactor } = rule;
  if (tile === undefined && patchFactor === undefined) return base;
  if (detail === 'low' && tile !== undefined) return base;
  if (size === undefined || size.width <= 0 || size.height <= 0) return 3 * base;
  if (patchFactor !== undefined) return Math.ceil(patchesOf(size) * patchFactor);
  return base + tilesOf(size) * (tile ?? 0);
}

/** A long, narrow image has the most tiles: 2,048 by 768 pixels. */
const mostTiles = 8;

/** Tokens of the largest image; undefined for models of vendors without a rule. */
export function mostImageTokens(model: string): number | undefined {
  const rule = imageRuleOf(model);
  if (rule === undefined) return undefined;
  const { base, tile = 0, patchFactor = 0 } = rule;
  return Math.max(3 * base, base + mostTiles * tile, Math.ceil(mostPatches * patchFactor));
}
