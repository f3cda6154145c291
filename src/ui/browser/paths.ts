/** Where `/` leads (seed, end user 2). Apart from the table of screens, so that screens can link to it. */
export const homePath = '/detail';
