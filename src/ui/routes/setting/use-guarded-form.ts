/** The form of the settings, with the questions that some changes ask first. */
import type { OptionKey } from '../../../core/options/facts.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { type OptionForm, useOptionForm } from '../../form/use-option-form.ts';
import { type TextKey, useTranslation } from '../../i18n/index.ts';

interface Warning {
  readonly title: TextKey;
  readonly text: TextKey;
  readonly confirm: TextKey;
}

/** Every balance is shown and sold in this unit. */
const unitWarning: Warning = {
  title: 'setting.quotaPerUnit.title',
  text: 'setting.quotaPerUnit.text',
  confirm: 'setting.quotaPerUnit.confirm',
};

/** Switches with far-reaching effects, with the state that is asked about. */
const switchWarnings: Readonly<Partial<Record<OptionKey, Warning & { readonly on: boolean }>>> = {
  PasswordLoginEnabled: {
    on: false,
    title: 'setting.passwordLogin.title',
    text: 'setting.passwordLogin.text',
    confirm: 'setting.passwordLogin.confirm',
  },
  DemoSiteEnabled: {
    on: true,
    title: 'setting.demoSite.title',
    text: 'setting.demoSite.text',
    confirm: 'setting.demoSite.confirm',
  },
};

export function useGuardedForm(options: OptionForm['options']): OptionForm {
  const { t } = useTranslation();
  const form = useOptionForm(options);
  const ask = ({ title, text, confirm }: Warning, onConfirm: () => void) =>
    confirmDanger({ title: t(title), text: t(text), confirm: t(confirm), onConfirm });
  return {
    ...form,
    save: async () => {
      if (form.changed.includes('QuotaPerUnit')) ask(unitWarning, () => void form.save());
      else await form.save();
    },
    toggle: async (key, on) => {
      const warning = switchWarnings[key];
      if (warning?.on === on) ask(warning, () => void form.toggle(key, on));
      else await form.toggle(key, on);
    },
  };
}
