import { accountWords } from './errors/accounts.ts';
import { processWords } from './errors/process.ts';
import { requestWords } from './errors/requests.ts';
import { siteWords } from './errors/site.ts';

export const errors = { ...requestWords, ...accountWords, ...siteWords, ...processWords };
