import { accountWords } from './errors/accounts.ts';
import { processWords } from './errors/process.ts';
import { requestWords } from './errors/requests.ts';
import { siteWords } from './errors/site.ts';

/**
 * A message for every error code of `kernel/errors`. A part in `[…]` is omitted when one of its
 * parameters is missing.
 */
export const errors = { ...requestWords, ...accountWords, ...siteWords, ...processWords };
