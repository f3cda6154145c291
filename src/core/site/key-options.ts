import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';
import type { OptionKey, RuleKey } from '../options/index.ts';

/** Throws if the text is no RSA private key in PEM or in bare base64 (PKCS #8 or PKCS #1). */
export function readPrivateKey(text: string): KeyObject {
  const key = text.includes('-----')
    ? createPrivateKey(text)
    : readBareKey(Buffer.from(text, 'base64'));
  if (key.asymmetricKeyType !== 'rsa') throw new Error('not an RSA key');
  return key;
}

function readBareKey(key: Buffer): KeyObject {
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  } catch {
    return createPrivateKey({ key, format: 'der', type: 'pkcs1' });
  }
}

/** The RSA key of a PEM text: a public key or a certificate. Throws if it is neither. */
export function readPublicKey(text: string): KeyObject {
  // createPublicKey would also derive the public half of a private key, which belongs into another
  // field.
  if (text.includes('PRIVATE KEY')) throw new Error('a private key');
  const key = text.includes('CERTIFICATE')
    ? new X509Certificate(text).publicKey
    : createPublicKey(text);
  if (key.asymmetricKeyType !== 'rsa') throw new Error('not an RSA key');
  return key;
}

const keyOptions: Partial<
  Record<OptionKey, { readonly read: (text: string) => KeyObject; readonly reason: RuleKey }>
> = {
  'WechatPay.PrivateKey': { read: readPrivateKey, reason: 'rule.privateKey' },
  'WechatPay.PublicKey': { read: readPublicKey, reason: 'rule.publicKey' },
};

/**
 * Why a new value of an option that holds a key is refused; the declarations of options cannot
 * parse keys.
 */
export function checkKey(option: OptionKey, value: unknown): AppError | undefined {
  const rule = keyOptions[option];
  if (rule === undefined || value === '') return undefined;
  try {
    rule.read(String(value));
    return undefined;
  } catch (error) {
    return new AppError('option_invalid', { key: option, reason: rule.reason }, { cause: error });
  }
}
