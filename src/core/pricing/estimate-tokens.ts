import { bareModelName, factsOf } from '../models/known-models.ts';

/** Token weights per vendor family (docs/rules/metering.md#estimate-weights). */
interface Weights {
  readonly word: number;
  readonly number: number;
  readonly cjk: number;
  readonly symbol: number;
  readonly math: number;
  readonly urlDelimiter: number;
  readonly at: number;
  readonly emoji: number;
  readonly newline: number;
  readonly space: number;
}

const weightsByFamily = {
  openai: weights(1.02, 1.55, 0.85, 0.4, 2.68, 1, 2, 2.12, 0.5, 0.42),
  gemini: weights(1.15, 2.8, 0.68, 0.38, 1.05, 1.2, 2.5, 1.08, 1.15, 0.2),
  claude: weights(1.13, 1.63, 1.21, 0.4, 4.52, 1.26, 2.82, 2.6, 0.89, 0.39),
} as const;

export type TokenFamily = keyof typeof weightsByFamily;

const familyOfVendor: Readonly<Record<string, TokenFamily>> = {
  anthropic: 'claude',
  gemini: 'gemini',
};

/** The token family of a model: by its maker, else by its name. Unknown vendors count as OpenAI. */
export function tokenFamilyOf(model: string): TokenFamily {
  const { vendor } = factsOf(bareModelName(model));
  if (vendor !== undefined) return familyOfVendor[vendor] ?? 'openai';
  const name = model.toLowerCase();
  if (name.includes('claude')) return 'claude';
  return name.includes('gemini') || name.includes('gemma') ? 'gemini' : 'openai';
}

const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';

/**
 * One group per class, in this order: word, digits, CJK, newline, space, @, URL delimiter,
 * mathematics, emoji; else a symbol.
 */
const classes = new RegExp(
  [
    `([[\\p{L}\\p{M}]--[${cjk}]]+)`,
    '(\\p{Nd}+)',
    `([${cjk}])`,
    '(\\r?\\n)',
    '(\\s)',
    '(@)',
    '([\\/:?\\&=;#%])',
    '([\\p{Sm}--[\\x00-\\x7f]])',
    '(\\p{Extended_Pictographic})',
    '.',
  ].join('|'),
  'gsv',
);

/**
 * A longer run of letters counts as several words, so that a text without spaces is not one token.
 */
const longestWord = 16;

/**
 * Estimated tokens of a text, rounded up. For holds and for replies without reported usage; never
 * for a charge whose usage the upstream reported. Linear in the length of the text.
 */
export function estimateTokens(text: string, family: TokenFamily): number {
  const weight = weightsByFamily[family];
  let sum = 0;
  for (const match of text.matchAll(classes)) {
    if (match[1] !== undefined) sum += weight.word * Math.ceil(match[1].length / longestWord);
    else if (match[2] !== undefined)
      sum += weight.number * Math.ceil(match[2].length / longestWord);
    else if (match[3] !== undefined) sum += weight.cjk;
    else if (match[4] !== undefined) sum += weight.newline;
    else if (match[5] !== undefined) sum += weight.space;
    else if (match[6] !== undefined) sum += weight.at;
    else if (match[7] !== undefined) sum += weight.urlDelimiter;
    else if (match[8] !== undefined) sum += weight.math;
    else if (match[9] !== undefined) sum += weight.emoji;
    else sum += weight.symbol;
  }
  return Math.ceil(sum);
}

/**
 * An upper estimate of the tokens in a UTF-8 text from its size alone: two per five bytes
 * corresponds to dense Chinese with Claude's weights (1.21 per 3 bytes) and is well above English
 * (about 1 per 4). Subtract media bytes first.
 */
export function estimateTokensFromBytes(byteLength: number): number {
  return Math.ceil((byteLength * 2) / 5);
}

function weights(
  ...[word, number, cjk, symbol, math, urlDelimiter, at, emoji, newline, space]: WeightRow
): Weights {
  return { word, number, cjk, symbol, math, urlDelimiter, at, emoji, newline, space };
}

type WeightRow = [
  word: number,
  number: number,
  cjk: number,
  symbol: number,
  math: number,
  urlDelimiter: number,
  at: number,
  emoji: number,
  newline: number,
  space: number,
];
