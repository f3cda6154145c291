import { isHeaderText } from '../kernel/header-text.ts';
import { isPictureAddress } from '../kernel/picture-addresses.ts';
import { isWebAddress } from '../kernel/shown-addresses.ts';
import { z } from '../kernel/zod.ts';

/**
 * Reasons for refusing a value, as i18n keys. `{min}`, `{max}` and `{path}` are filled in from the
 * failed check.
 */
export const ruleKeys = [
  'rule.boolean',
  'rule.integer',
  'rule.decimal',
  'rule.min',
  'rule.max',
  'rule.above',
  'rule.tooLong',
  'rule.json',
  'rule.shape',
  'rule.choice',
  'rule.url',
  'rule.link',
  'rule.https',
  'rule.notNegative',
  'rule.positive',
  'rule.discount',
  'rule.chatLink',
  'rule.bytes32',
  'rule.ed25519',
  'rule.privateKey',
  'rule.publicKey',
  'rule.prefix',
  'rule.headerText',
  'rule.picture',
  'rule.ownName',
] as const;
export type RuleKey = (typeof ruleKeys)[number];

/** A typed message for zod, which itself accepts any text. */
export function because(rule: RuleKey): { readonly error: RuleKey } {
  return { error: rule };
}

/**
 * Length limit of a text: 1 MB (docs/rules/options.md#text-limits). The whole request is limited to
 * 4 MB.
 */
export const longestText = 1024 * 1024;

export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

export const plainText = z.string(because('rule.shape')).max(longestText, because('rule.tooLong'));

/**
 * An http(s) address or an empty text. `strip` removes trailing slashes
 * (docs/rules/options.md#addresses). `shown`: pages lead to it or load it, so that it must not
 * disguise its host.
 */
export function addressText(strip: boolean, shown: boolean) {
  return plainText
    .trim()
    .refine((text) => text === '' || isHttpUrl(text), because('rule.url'))
    .refine((text) => text === '' || !shown || isWebAddress(text), because('rule.link'))
    .transform((text) => (strip ? text.replace(/\/+$/, '') : text));
}

/** The address of a picture, or an empty text (docs/rules/security.md#shown-addresses). */
export const pictureText = plainText
  .trim()
  .refine((text) => text === '' || isPictureAddress(text), because('rule.picture'));

const number = z.number(because('rule.decimal'));

/**
 * The largest ratio or price; more is a slip of the hand, and a charge by it would be capped
 * (docs/rules/pricing.md#price-limits).
 */
const maxRatio = 1_000_000;

/** Name → number, e.g. model → ratio. */
const ratio = number.min(0, because('rule.notNegative')).max(maxRatio, because('rule.max'));
export const ratioMap = z.record(z.string(), ratio, because('rule.shape'));
export const positiveMap = z.record(
  z.string(),
  number.gt(0, because('rule.positive')).max(maxRatio, because('rule.max')),
  because('rule.shape'),
);
export const discountMap = z.record(
  z.string(),
  number.gt(0, because('rule.discount')).max(1, because('rule.discount')),
  because('rule.shape'),
);
export const ratioMapByGroup = z.record(z.string(), ratioMap, because('rule.shape'));
export const textMap = z.record(z.string(), z.string(because('rule.shape')), because('rule.shape'));
/** A text that is sent in a header (docs/rules/security.md#header-values). */
const headerText = z.string(because('rule.shape')).refine(isHeaderText, because('rule.headerText'));
/** The name of a header (RFC 9110, tokens). */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, because('rule.headerText'));
export const headersByModel = z.record(
  z.string(),
  z.record(headerName, z.array(headerText, because('rule.shape')), because('rule.shape')),
  because('rule.shape'),
);

/** Largest output by upstream model; a missing `default` is added (docs/rules/options.md#maps). */
export function tokenLimits(fallback: number) {
  return z
    .record(
      z.string(),
      z.int(because('rule.integer')).min(1, because('rule.positive')),
      because('rule.shape'),
    )
    .transform((limits): Readonly<Record<string, number>> => ({ default: fallback, ...limits }));
}

const forbiddenSchemes = /^(javascript|data|vbscript|file|blob):/i;

/**
 * Chat clients: objects with one key, name → link. A link must have a scheme, but none that runs
 * code (docs/rules/options.md#chat-links).
 */
export const chatLinks = z.array(
  z
    .record(
      z.string(),
      z
        .string(because('rule.shape'))
        .trim()
        .refine(
          // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore them in schemes
          (link) => /^([a-z][a-z0-9+.-]*:|\{address\})/i.test(link.replace(/[\x00-\x20]/g, '')),
          because('rule.chatLink'),
        )
        .refine(
          // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
          (link) => !forbiddenSchemes.test(link.replace(/[\x00-\x20]/g, '')),
          because('rule.chatLink'),
        )
        .refine((link) => !/^https?:/i.test(link) || isWebAddress(link), because('rule.chatLink')),
      because('rule.shape'),
    )
    .refine((entry) => Object.keys(entry).length === 1, because('rule.shape')),
  because('rule.shape'),
);

/**
 * Seconds × resolution factors of video models (docs/rules/options.md#maps): model → class →
 * factor.
 */
export const videoRatios = z.record(z.string(), positiveMap, because('rule.shape'));

const factor = number.gt(0, because('rule.positive')).max(maxRatio, because('rule.max'));

const minute = z
  .int(because('rule.integer'))
  .min(0, because('rule.shape'))
  .max(1440, because('rule.max'));
const peakHours = z.strictObject(
  {
    days: z.array(
      z.int(because('rule.integer')).min(0, because('rule.shape')).max(6, because('rule.max')),
      because('rule.shape'),
    ),
    from: minute,
    to: minute,
  },
  because('rule.shape'),
);

/** Model → steps, tiers, peak hours, cache lives, tools and seconds (docs/rules/pricing.md#price-details). */
export const priceDetails = z.record(
  z.string(),
  z.strictObject(
    {
      steps: z
        .array(
          z.strictObject(
            {
              above: z.int(because('rule.integer')).min(1, because('rule.positive')),
              input: factor,
              output: factor,
              cacheRead: factor.optional(),
              cacheWrite: factor.optional(),
            },
            because('rule.shape'),
          ),
          because('rule.shape'),
        )
        .optional(),
      factors: z.record(z.string(), factor, because('rule.shape')).optional(),
      cacheFactors: z
        .record(
          z.string(),
          z.strictObject(
            { read: factor.optional(), write: factor.optional() },
            because('rule.shape'),
          ),
          because('rule.shape'),
        )
        .optional(),
      peakHours: z.array(peakHours, because('rule.shape')).optional(),
      longCacheWrite: factor.optional(),
      cachedAudio: factor.optional(),
      cachedImage: factor.optional(),
      thinking: factor.optional(),
      textOutput: factor.optional(),
      tools: z.record(z.string(), ratio, because('rule.shape')).optional(),
      perSecond: z.record(z.string(), ratio, because('rule.shape')).optional(),
    },
    because('rule.shape'),
  ),
  because('rule.shape'),
);

/**
 * Rules and rows of models; the reader checks their form (docs/rules/models.md#added-data).
 * `signed`: the newest signed list among their sources.
 */
export const modelAdditions = z.strictObject(
  {
    rules: z.array(z.looseObject({ family: z.string() }), because('rule.shape')),
    rows: z.array(z.looseObject({ name: z.string() }), because('rule.shape')),
    signed: z
      .strictObject({ key: z.string(), issued: z.iso.datetime({ offset: true }) })
      .optional(),
  },
  because('rule.shape'),
);

/** An Ed25519 public key, its 32 bytes in base64, or an empty text. */
export const ed25519Key = z
  .string(because('rule.shape'))
  .regex(/^([A-Za-z0-9+/]{43}=)?$/, because('rule.ed25519'));

/** Model → where its price comes from, how many times as much, and whether it is saved by itself. */
export const followedPrices = z.record(
  z.string(),
  z.strictObject({
    source: z.string().min(1).max(2000),
    margin: z.number().positive().max(1000),
    save: z.boolean(),
  }),
);
