import type { OptionKey } from '../../../core/options/facts.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import type { OptionForm } from '../../form/use-option-form.ts';
import { translate } from '../../i18n/index.ts';

/** The form, which asks before a switch locks people out (docs/rules/console.md#settings-screen). */
export function askFirst(form: OptionForm): OptionForm {
  return {
    ...form,
    toggle: async (key: OptionKey, on: boolean) => {
      if (key !== 'PasswordLoginEnabled' || on) return form.toggle(key, on);
      confirmDanger({
        title: translate('setting.passwordLogin.title'),
        text: translate('setting.passwordLogin.text'),
        confirm: translate('setting.passwordLogin.confirm'),
        onConfirm: () => void form.toggle(key, on),
      });
    },
  };
}
