import type { App } from '../../core/app.ts';
import { Reply } from '../../core/contract/envelope.ts';
import type { phoneApi, publicApi } from '../../core/contract/public.ts';
import { translate } from '../../core/i18n/translate.ts';
import { callerOf, type Handlers, originOf } from './context.ts';

export function publicHandlers({ accounts }: App): {
  public: Handlers<typeof publicApi>;
  phone: Handlers<typeof phoneApi>;
} {
  const { phone } = accounts;
  return {
    public: {
      messageCode: async (
        { phone: number, check_code: checkCode },
        { actor, clientIp, language },
      ) => {
        if (checkCode === '')
          await phone.sendCode(number, { isUser: actor !== null, ip: clientIp });
        else await phone.secondStep.sendCode(checkCode, clientIp);
        return new Reply(
          { countdown: phone.codes.pauseSeconds },
          translate(language, 'reply.code_sent'),
        );
      },
      login: async ({ phone: number, code, check_code: checkCode, aff }, context) => {
        const completes = checkCode !== '';
        const user = completes
          ? await accounts.signIn('second-step', {
              checkCode,
              code,
              phone: number,
              ...originOf(context),
            })
          : await accounts.signIn('phone', {
              phone: number,
              code,
              affCode: aff,
              ...originOf(context),
            });
        return {
          token: await context.startSession(user, completes ? 'password' : 'phone'),
          check_code: '',
        };
      },
      accountLogin: async ({ param, password }, context) => {
        const user = await accounts.signIn('password', {
          username: param,
          password,
          ...originOf(context),
        });
        if (!(await phone.secondStep.isDue(user)))
          return { token: await context.startSession(user, 'password') };
        const step = await phone.secondStep.begin(user, context.clientIp);
        return { check_code: step.checkCode, phone: step.phone };
      },
    },
    phone: {
      bind: async ({ phone: number, code }, context) => {
        await phone.binding.bind(callerOf(context), number, code);
      },
      unbind: async (_input, context) => {
        await phone.binding.unbind(callerOf(context));
      },
    },
  };
}
