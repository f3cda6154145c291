/** "It was not me": what the link in the owner's mail does (docs/rules/accounts.md#not-me). */
import type { Commit } from '../../audit/commit.ts';
import type { Language } from '../../i18n/translate.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { Secret } from '../../kernel/secret.ts';
import type { Storage, User } from '../../storage/storage.ts';
import { actorFrom } from '../actor-from.ts';
import type { PasswordReset } from '../password-reset.ts';
import type { DisavowalLinks, Disavowed } from './disavowal-links.ts';

export interface DisavowalDeps {
  readonly links: Pick<DisavowalLinks, 'use'>;
  readonly reset: Pick<PasswordReset, 'request'>;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Takes the change back, ends all sessions, the password and the system access token, and mails a
 * link for a new password. True if that mail is on its way. Throws AppError not_me_link_invalid.
 */
export type Disavow = (
  token: string,
  from: { readonly ip: string; readonly language: Language },
) => Promise<boolean>;

export function bindDisavow({ links, reset, commit, clock, logger }: DisavowalDeps): Disavow {
  const now = () => nowSeconds(clock);

  /** What an earlier address of the account is, if it is still free. */
  const restoreAddress = async (inside: Storage, user: User, address: string): Promise<void> => {
    if (user.email === address && user.emailVerified) return;
    const isFree = (await inside.users.findByVerifiedEmail(address)) === null;
    await inside.users.update(
      user.id,
      isFree ? { email: address, emailVerified: true } : { email: '', emailVerified: false },
    );
  };

  const restorePhone = async (inside: Storage, user: User, former: string): Promise<void> => {
    if (user.phone === former) return;
    const isFree = former !== '' && (await inside.users.findByPhone(former)) === null;
    await inside.users.update(
      user.id,
      isFree ? { phone: former, phoneVerifiedAt: now() } : { phone: null, phoneVerifiedAt: 0 },
    );
  };

  const restoreIdentity = async (
    inside: Storage,
    userId: number,
    provider: string,
    subject: string,
    former: string,
  ) => {
    if ((await inside.userIdentities.findUserId(provider, subject)) !== userId) return;
    await inside.userIdentities.delete(userId, provider);
    if (former === '' || (await inside.userIdentities.findUserId(provider, former)) !== null)
      return;
    await inside.userIdentities.insert({ userId, provider, subject: former, createdAt: now() });
  };

  const removeFactor = async (
    inside: Storage,
    userId: number,
    { way, undo }: Disavowed,
  ): Promise<void> => {
    if (way === 'totp') await inside.secondFactors.deleteTotp(userId);
    if (undo !== undefined && 'credentialId' in undo) {
      const passkey = await inside.secondFactors.findPasskey(undo.credentialId);
      if (passkey?.userId === userId) await inside.secondFactors.deletePasskey(userId, passkey.id);
    }
    const keepsCodes = way !== 'recovery_codes' && (await inside.secondFactors.has(userId));
    if (!keepsCodes) await inside.secondFactors.putRecoveryCodes(userId, []);
  };

  /** What was removed cannot be brought back: nobody knows the secret of an app any more. */
  const takeBack = async (inside: Storage, user: User, link: Disavowed): Promise<void> => {
    await restoreAddress(inside, user, link.address);
    const { undo, removed, way } = link;
    if (removed) return;
    if (undo !== undefined && 'phone' in undo) await restorePhone(inside, user, undo.phone);
    if (undo !== undefined && 'provider' in undo)
      await restoreIdentity(inside, user.id, undo.provider, undo.subject, undo.former);
    if (way === 'totp' || way === 'passkey' || way === 'recovery_codes')
      await removeFactor(inside, user.id, link);
  };

  return async (token, { ip, language }) => {
    const { user, link } = await commit(async (inside, notes) => {
      const used = await links.use(inside, token);
      const owner = used === null ? null : await inside.users.find(used.userId);
      if (used === null || owner === null || owner.deletedAt !== null)
        throw new AppError('not_me_link_invalid');
      await takeBack(inside, owner, used);
      await inside.users.update(owner.id, { passwordHash: new Secret(''), accessTokenHash: null });
      await inside.sessions.deleteByUser(owner.id);
      notes.record(actorFrom(owner, ip), 'user.disavow', owner.id, { way: used.way });
      notes.changed('user', owner.id);
      return { user: owner, link: used };
    });
    try {
      await reset.request(link.address, language);
      return true;
    } catch (error) {
      // Mailed within the last half minute: that link is still good.
      if (error instanceof AppError && error.code === 'mail_too_soon') return true;
      logger.error(
        { error, user: user.id },
        'the password could not be reset after a disavowed change',
      );
      return false;
    }
  };
}
