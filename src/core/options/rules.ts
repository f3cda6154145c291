import { z } from 'zod';

/** Why a value is refused. Each is an i18n key; `{min}`, `{max}` and `{path}` are filled from the check that failed. */
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
  'rule.https',
  'rule.notNegative',
  'rule.positive',
  'rule.discount',
  'rule.chatLink',
  'rule.bytes32',
  'rule.privateKey',
  'rule.prefix',
] as const;
export type RuleKey = (typeof ruleKeys)[number];

/** Types the message: zod itself takes any text. */
export function because(rule: RuleKey): { readonly error: RuleKey } {
  return { error: rule };
}

/** Texts are capped at 1 MB (console-api 5.2); the request as a whole at 4 MB. */
export const longestText = 1024 * 1024;

export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

export const plainText = z.string(because('rule.shape')).max(longestText, because('rule.tooLong'));

/** An http(s) address or nothing. `strip` takes trailing slashes off (seed, administration 5). */
export function addressText(strip: boolean) {
  return plainText
    .trim()
    .refine((text) => text === '' || isHttpUrl(text), because('rule.url'))
    .transform((text) => (strip ? text.replace(/\/+$/, '') : text));
}

const number = z.number(because('rule.decimal'));

/** Name → number, e.g. model → ratio. */
export const ratioMap = z.record(z.string(), number.min(0, because('rule.notNegative')), because('rule.shape'));
export const positiveMap = z.record(z.string(), number.gt(0, because('rule.positive')), because('rule.shape'));
export const discountMap = z.record(
  z.string(),
  number.gt(0, because('rule.discount')).max(1, because('rule.discount')),
  because('rule.shape'),
);
export const ratioMapByGroup = z.record(z.string(), ratioMap, because('rule.shape'));
export const textMap = z.record(z.string(), z.string(because('rule.shape')), because('rule.shape'));
export const headersByModel = z.record(
  z.string(),
  z.record(z.string(), z.array(z.string(because('rule.shape')), because('rule.shape')), because('rule.shape')),
  because('rule.shape'),
);

/** Largest answer by upstream model; `default` is put back when it is missing (console-api 5.2). */
export function tokenLimits(fallback: number) {
  return z
    .record(z.string(), z.int(because('rule.integer')).min(1, because('rule.positive')), because('rule.shape'))
    .transform((limits): Readonly<Record<string, number>> => ({ default: fallback, ...limits }));
}

const forbiddenSchemes = /^(javascript|data|vbscript|file|blob):/i;

/** Chat clients: one-key objects name → link. A link names its scheme and none that runs code (console-api 5.2 and 14). */
export const chatLinks = z.array(
  z
    .record(
      z.string(),
      z
        .string(because('rule.shape'))
        .trim()
        // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these characters before they read the scheme
        .refine((link) => /^([a-z][a-z0-9+.-]*:|\{address\})/i.test(link.replace(/[\x00-\x20]/g, '')), because('rule.chatLink'))
        // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
        .refine((link) => !forbiddenSchemes.test(link.replace(/[\x00-\x20]/g, '')), because('rule.chatLink')),
      because('rule.shape'),
    )
    .refine((entry) => Object.keys(entry).length === 1, because('rule.shape')),
  because('rule.shape'),
);

/** Seconds × resolution factors of video models (providers-china-and-tasks 11.8): model → class → factor. */
export const videoRatios = z.record(z.string(), positiveMap, because('rule.shape'));
