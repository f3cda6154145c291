import { createPrivateKey, type KeyObject } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';
import type { OptionKey } from '../options/index.ts';

/** Throws if the text is no RSA private key in PEM or in bare base64 (PKCS #8). */
export function readPrivateKey(text: string): KeyObject {
  const key = text.includes('-----')
    ? createPrivateKey(text)
    : createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyType !== 'rsa') throw new Error('not an RSA key');
  return key;
}

/** Why a new value of an option that holds a private key is refused; the declarations of options cannot parse keys. */
export function checkPrivateKey(option: OptionKey, value: unknown): AppError | undefined {
  if (option !== 'WechatPay.PrivateKey' || value === '') return undefined;
  try {
    readPrivateKey(String(value));
    return undefined;
  } catch (error) {
    return new AppError('option_invalid', { key: option, reason: 'rule.privateKey' }, { cause: error });
  }
}
