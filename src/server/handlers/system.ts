import type { App } from '../../core/app.ts';
import { Reply } from '../../core/contract/envelope.ts';
import type { systemApi } from '../../core/contract/system.ts';
import { AppError } from '../../core/kernel/errors.ts';
import type { Handlers } from './context.ts';

export function systemHandlers(app: App): Handlers<typeof systemApi> {
  return {
    setupStatus: async () => {
      if (app.setup.isSetUp()) return { status: true, root_init: false, database_type: '' };
      return { status: false, root_init: await app.setup.hasRoot(), database_type: app.databaseType };
    },
    setup: async (input, context) => {
      await app.setup.setUp(
        {
          username: input.username,
          password: input.password,
          confirmPassword: input.confirmPassword,
          selfUse: input.SelfUseModeEnabled,
          demo: input.DemoSiteEnabled,
          systemName: input.SystemName,
          code: context.isOperator ? null : input.setup_token,
        },
        { ip: context.clientIp },
      );
      return new Reply(undefined, app.translate(context.language, 'reply.set_up'));
    },
    checkSetupToken: ({ setup_token }) => {
      if (app.setup.isSetUp()) throw new AppError('already_set_up');
      return { valid: app.setup.checkCode(setup_token) };
    },
    status: () => ({ ...app.status() }),
    statusTest: async (_input, context) => {
      await app.pingDatabase();
      return new Reply(undefined, app.translate(context.language, 'reply.running'));
    },
    notice: () => app.options.get('Notice'),
    about: () => app.options.get('About'),
    homePage: () => app.options.get('HomePageContent'),
  };
}
