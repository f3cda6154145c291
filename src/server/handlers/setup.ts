import type { App } from '../../core/app.ts';
import { Reply } from '../../core/contract/envelope.ts';
import type { systemApi } from '../../core/contract/system.ts';
import { translate } from '../../core/i18n/translate.ts';
import type { Handlers } from './context.ts';

export function setupHandlers(app: App) {
  return { system: systemHandlers(app) };
}

function systemHandlers({
  setup,
  site: { options, latestRelease },
}: App): Handlers<typeof systemApi> {
  return {
    setupStatus: async () => {
      if (setup.isSetUp()) return { status: true, root_init: false, database_type: '' };
      return { status: false, root_init: await setup.hasRoot(), database_type: setup.databaseType };
    },
    setup: async (input, context) => {
      await setup.setUp(
        {
          username: input.username,
          password: input.password,
          confirmPassword: input.confirmPassword,
          selfUse: input.SelfUseModeEnabled,
          demo: input.DemoSiteEnabled,
          systemName: input.SystemName,
          siteLanguage: input.SiteLanguage ?? context.language,
          code: context.isOperator ? null : input.setup_token,
        },
        { ip: context.clientIp },
      );
      return new Reply(undefined, translate(context.language, 'reply.set_up'));
    },
    checkSetupToken: ({ setup_token }) => ({ valid: setup.checkCode(setup_token) }),
    status: () => ({ ...setup.status() }),
    statusTest: async (_input, context) => {
      await setup.pingDatabase();
      return new Reply(undefined, translate(context.language, 'reply.running'));
    },
    latestRelease,
    notice: () => options.get('Notice'),
    about: () => options.get('About'),
    homePage: () => options.get('HomePageContent'),
  };
}
