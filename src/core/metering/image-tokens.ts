/**
 * Prompt tokens of an image (docs/rules/metering.md#image-input-tokens; OpenAI's guide to images).
 */
import { bareModelName, encodingOf } from './encoding.ts';

/** Pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** An image is counted in tiles added to a base, or in patches multiplied by a factor. */
interface ImageRule {
  readonly base: number;
  readonly tile?: number;
  readonly patchFactor?: number;
}

/** The first whose text the model's name begins with applies. */
const openAiRules: readonly (readonly [string, ImageRule])[] = [
  ['gpt-4o-mini', { base: 2833, tile: 5667 }],
  ['gpt-4.1-mini', { base: 85, patchFactor: 1.62 }],
  ['gpt-4.1-nano', { base: 85, patchFactor: 2.46 }],
  ['o4-mini', { base: 75, patchFactor: 1.72 }],
  ['gpt-5-mini', { base: 70, patchFactor: 1.62 }],
  ['gpt-5-nano', { base: 70, patchFactor: 2.46 }],
  ['gpt-5', { base: 70, tile: 140 }],
  ['o1', { base: 75, tile: 150 }],
  ['o3', { base: 75, tile: 150 }],
  ['computer-use', { base: 65, tile: 129 }],
];
const usualRule: ImageRule = { base: 85, tile: 170 };
const glmVisionTokens = 1047;

function ruleOf(model: string): ImageRule | undefined {
  const name = bareModelName(model);
  if (name.startsWith('glm-4v')) return { base: glmVisionTokens };
  if (encodingOf(name) === undefined) return undefined;
  return openAiRules.find(([start]) => name.startsWith(start))?.[1] ?? usualRule;
}

const patchSide = 32;
const mostPatches = 1536;

/** An image of too many patches is made smaller until whole ones cover it. */
function patchesOf({ width, height }: ImageSize): number {
  const patches = (w: number, h: number) => Math.ceil(w / patchSide) * Math.ceil(h / patchSide);
  if (patches(width, height) <= mostPatches) return patches(width, height);
  const shrink = Math.sqrt((patchSide ** 2 * mostPatches) / (width * height));
  const [across, down] = [(width * shrink) / patchSide, (height * shrink) / patchSide];
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
  const rule = ruleOf(model);
  if (rule === undefined) return undefined;
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
  const rule = ruleOf(model);
  if (rule === undefined) return undefined;
  const { base, tile = 0, patchFactor = 0 } = rule;
  return Math.max(3 * base, base + mostTiles * tile, Math.ceil(mostPatches * patchFactor));
}
