export { resellerCases as cases } from '../support/reseller-cases.ts';
