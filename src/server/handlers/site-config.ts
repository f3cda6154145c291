import type { App } from '../../core/app.ts';
import type { siteConfigApi } from '../../core/contract/site-config.ts';
import { type Language, translate } from '../../core/i18n/translate.ts';
import type { ConfigProblem } from '../../core/site-config/config-changes.ts';
import { actorOf, type Handlers } from './context.ts';

export function siteConfigHandlers({ siteConfig }: App): Handlers<typeof siteConfigApi> {
  return {
    apply: async ({ dry_run, ...changes }, context) => {
      const actor = actorOf(context);
      const { problems, written } = dry_run
        ? { problems: await siteConfig.check(actor, changes), written: 0 }
        : await siteConfig.apply(actor, changes);
      return { problems: problems.map((problem) => present(problem, context.language)), written };
    },
  };
}

function present(
  { section, label, field, error: { code, params } }: ConfigProblem,
  language: Language,
) {
  return { section, label, field, code, message: translate(language, `error.${code}`, params) };
}
