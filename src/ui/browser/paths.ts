/** Where `/` leads (docs/rules/console.md#shell). Apart from the table of screens, so that screens can link to it. */
export const homePath = '/detail';
/** The price list, for visitors too. */
export const pricingPath = '/pricing';
