/**
 * The languages of the program. The first is the default of a site
 * (docs/rules/options.md#site-language).
 */
export const languages = ['zh', 'en'] as const;
export type Language = (typeof languages)[number];
