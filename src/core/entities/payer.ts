import { parseObject } from '../kernel/json.ts';

/**
 * Whom the receipts of a user are made out to, under the names of the user's settings, with the
 * most characters of each (docs/rules/payments.md#receipts).
 */
export const payerLimits = {
  payer_name: 100,
  payer_address: 300,
  payer_tax_number: 50,
} as const;

export type PayerField = keyof typeof payerLimits;
export type Payer = Readonly<Record<PayerField, string>>;

export const payerFields = Object.keys(payerLimits) as readonly PayerField[];

/** `setting` is the JSON of `users.setting`; '' for what the user has not given. */
export function readPayer(setting: string): Payer {
  const stored = parseObject(setting) ?? {};
  const textOf = (name: PayerField) => {
    const value = stored[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    payer_name: textOf('payer_name'),
    payer_address: textOf('payer_address'),
    payer_tax_number: textOf('payer_tax_number'),
  };
}
