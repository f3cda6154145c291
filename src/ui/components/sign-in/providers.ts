/** The third parties by which people sign in, as the console shows them. */
import type { UserEntity } from '../../../core/contract/entities.ts';
import type { TextKey } from '../../i18n/index.ts';
import type { ServerStatus } from '../../queries/use-status.ts';

export interface SignInProvider {
  readonly id: SignInProviderId;
  readonly name: TextKey;
  readonly isEnabled: (status: ServerStatus) => boolean;
  /** The field of a user that holds its identity. */
  readonly field: keyof UserEntity &
    ('github_id' | 'oidc_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id');
  /** What happens: the browser goes to the provider, or a dialog asks for something. */
  readonly opens: 'page' | 'wechat' | 'telegram';
}

export type SignInProviderId = 'github' | 'oidc' | 'linuxdo' | 'wechat' | 'telegram';

export const signInProviders: readonly SignInProvider[] = [
  {
    id: 'wechat',
    name: 'identity.wechat',
    isEnabled: (status) => status.wechat_login === true,
    field: 'wechat_id',
    opens: 'wechat',
  },
  {
    id: 'github',
    name: 'identity.github',
    isEnabled: (status) => status.github_oauth === true,
    field: 'github_id',
    opens: 'page',
  },
  {
    id: 'oidc',
    name: 'identity.oidc',
    isEnabled: (status) => status.oidc_enabled === true,
    field: 'oidc_id',
    opens: 'page',
  },
  {
    id: 'telegram',
    name: 'identity.telegram',
    isEnabled: (status) => status.telegram_oauth === true,
    field: 'telegram_id',
    opens: 'telegram',
  },
  {
    id: 'linuxdo',
    name: 'identity.linuxdo',
    isEnabled: (status) => status.linuxdo_oauth === true,
    field: 'linux_do_id',
    opens: 'page',
  },
];
