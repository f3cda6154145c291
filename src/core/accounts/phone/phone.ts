import type { Cluster } from '../../cluster/cluster.ts';
import { AppError } from '../../kernel/errors.ts';
import type { TextMessages } from '../../notices/sms/sms.ts';
import type { SignInMethod } from '../sign-in/sign-in-method.ts';
import { createPhoneBinding, type PhoneBinding, type PhoneBindingDeps } from './phone-binding.ts';
import { createPhoneCodes, type PhoneCodes } from './phone-codes.ts';
import { createSecondStep, type SecondStep, type SecondStepDeps } from './second-step.ts';

export type PhoneServicesDeps = Omit<PhoneBindingDeps & SecondStepDeps, 'phoneCodes'> & {
  readonly cluster: Pick<Cluster, 'counter' | 'slidingLog'>;
  readonly sms: TextMessages;
};

export interface PhoneServices {
  readonly codes: PhoneCodes;
  readonly binding: PhoneBinding;
  readonly secondStep: SecondStep;
  /**
   * Completes a login whose password was right. Reads `checkCode`, `code`, `phone`, `ip` and
   * `device`.
   */
  readonly secondStepMethod: SignInMethod;
  /**
   * Sends a code to a number, for a login or, by a user, for a binding. Throws AppError
   * phone_login_disabled and as `PhoneCodes`.
   */
  sendCode(phone: string, caller: { readonly isUser: boolean; readonly ip: string }): Promise<void>;
}

/** Everything about phones (docs/rules/accounts.md#phone-codes). */
export function createPhoneServices(deps: PhoneServicesDeps): PhoneServices {
  const { options } = deps;
  const phoneCodes = createPhoneCodes(deps);
  const secondStep = createSecondStep({ ...deps, phoneCodes });
  return {
    codes: phoneCodes,
    binding: createPhoneBinding({ ...deps, phoneCodes }),
    secondStep,
    secondStepMethod: {
      id: 'second-step',
      // A login that began before the option was switched off can be completed.
      isEnabled: () => true,
      // It completes another one.
      isOpenTo: () => false,
      complete: async ({ checkCode = '', code = '', phone = '', ip = '', device = '' }) => ({
        user: await secondStep.complete({ checkCode, code, phone, ip, device }),
      }),
    },
    sendCode: async (text, { isUser, ip }) => {
      const isUseful =
        options.get('PhoneLoginEnabled') || (isUser && options.get('PhoneSecondFactorEnabled'));
      if (!isUseful) throw new AppError('phone_login_disabled');
      const phone = phoneCodes.readNumber(text);
      await phoneCodes.send('phone', phone, phone, ip);
    },
  };
}
