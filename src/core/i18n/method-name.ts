import { isMessageKey, type Language, translate } from './translate.ts';

/** The name of a payment method; methods of imported orders may have none. */
export function methodName(language: Language, method: string): string {
  const key = `paymentMethod.${method}`;
  return isMessageKey(key) ? translate(language, key) : method;
}
