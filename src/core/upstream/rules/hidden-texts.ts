import { randomBytes } from 'node:crypto';
import { Secret } from '../../kernel/secret.ts';
import { isCredentialHeader } from './header-names.ts';

/**
 * Replaces credentials by random marks while a channel's operations run, so that no operation can
 * copy one into the body and no condition can compare one
 * (docs/rules/channel-rules.md#hidden-credentials).
 */
export class HiddenTexts {
  readonly #texts = new Map<string, string>();

  hideSecret(secret: Secret): Secret {
    return new Secret(this.#hide(secret.reveal()));
  }

  /** Hides headers that usually hold a credential, and those that contain `key`. */
  hideHeaders(headers: Readonly<Record<string, string>>, key: Secret): Record<string, string> {
    const text = key.reveal();
    const isSecret = (name: string, value: string) =>
      isCredentialHeader(name) || (text !== '' && value.includes(text));
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        isSecret(name, value) ? this.#hide(value) : value,
      ]),
    );
  }

  /** The text with every mark replaced by what it stands for. */
  reveal(text: string): string {
    let revealed = text;
    for (const [mark, hidden] of this.#texts) revealed = revealed.replaceAll(mark, () => hidden);
    return revealed;
  }

  /** A mark is a valid header value that nobody can guess. */
  #hide(text: string): string {
    if (text === '') return text;
    const mark = `hidden-${randomBytes(16).toString('hex')}`;
    this.#texts.set(mark, text);
    return mark;
  }
}
