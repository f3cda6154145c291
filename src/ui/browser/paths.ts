/**
 * Paths that several screens link to. Apart from the table of screens, so that screens can link to
 * it.
 */

/** The console's first screen (docs/rules/console.md#shell). */
export const homePath = '/detail';
/** The site's own home page, where it has one (docs/rules/console.md#home-page). */
export const landingPath = '/';
/** The price list, for visitors too. */
export const pricingPath = '/pricing';
export const aboutPath = '/about';
/** The models of the site, for visitors too. */
export const modelSquarePath = '/model_square';
