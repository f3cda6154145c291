/** One section of the settings, from its declaration in the registry: title left, switches and fields right. */
import { Button, Loader, Switch } from '@mantine/core';
import { useId } from 'react';
import { translate as translateShared } from '../../core/i18n/translate.ts';
import { isSecretOption, type OptionKey, type PanelId } from '../../core/options/index.ts';
import { currentLanguage, type TextKey, useTranslation } from '../i18n/index.ts';
import { SwitchRow } from './form-drawer.tsx';
import { FormFieldInput } from './form-field.tsx';
import { clearSecret, fieldValue, optionHint, optionKind, optionLabel, optionsOf, textOfValue } from './option-fields.ts';
import classes from './option-panel.module.css';
import type { OptionForm } from './use-option-form.ts';

/** Longest value that the hint of a changed field repeats. */
const longest = 60;

const choiceTexts: Readonly<Record<string, TextKey>> = {
  hour: 'setting.choice.hour',
  day: 'setting.choice.day',
  week: 'setting.choice.week',
  zh: 'setting.choice.zh',
  en: 'setting.choice.en',
};

export function OptionPanel({ panel, form }: { readonly panel: PanelId; readonly form: OptionForm }) {
  const { t } = useTranslation();
  const id = useId();
  const { switches, fields } = optionsOf(panel);
  const changed = fields.some((key) => form.changed.includes(key));
  return (
    <section className={classes.panel} aria-labelledby={id} id={panel}>
      <div className={classes.head}>
        <h2 id={id} data-changed={changed || undefined}>
          {translateShared(currentLanguage(), `panel.${panel}`)}
        </h2>
        {switches.length > 0 && <p>{t(fields.length > 0 ? 'setting.switches.some' : 'setting.switches')}</p>}
      </div>
      <div className={classes.body}>
        {switches.length > 0 && (
          <div className={classes.switches}>
            {switches.map((key) => (
              <OptionSwitch key={key} option={key} form={form} />
            ))}
          </div>
        )}
        {fields.map((key) => (
          <OptionField key={key} option={key} form={form} />
        ))}
      </div>
    </section>
  );
}

interface OptionProps {
  readonly option: OptionKey;
  readonly form: OptionForm;
}

/** Saves at once, with its progress in the thumb. */
function OptionSwitch({ option, form }: OptionProps) {
  const hint = optionHint(option);
  const busy = form.isSwitching(option);
  return (
    <SwitchRow title={optionLabel(option)} hint={hint}>
      <Switch
        aria-label={optionLabel(option)}
        aria-busy={busy}
        checked={form.isOn(option)}
        thumbIcon={busy ? <Loader size={10} /> : undefined}
        onChange={(event) => {
          if (!busy) void form.toggle(option, event.currentTarget.checked);
        }}
      />
    </SwitchRow>
  );
}

/** One option of the form, drawn as its declaration says. */
export function OptionField({ option, form }: OptionProps) {
  const { t } = useTranslation();
  const stored = form.options.stored.has(option);
  const kind = optionKind(option, stored, (choice) => {
    const text = choiceTexts[choice];
    return text === undefined ? choice : t(text);
  });
  const text = form.text(option);
  const before = form.before(option);
  const isChanged = form.changed.includes(option);
  const isClearing = isSecretOption(option) && text === clearSecret;
  const was =
    isChanged && !isSecretOption(option) && before.length <= longest && !before.includes('\n')
      ? t('common.was', { value: before === '' ? t('common.empty') : before })
      : undefined;
  const hint = [was, optionHint(option)].filter((part) => part !== undefined).join(t('common.changes.joint'));
  return (
    <div className={classes.field} data-changed={isChanged || undefined}>
      {isClearing ? (
        <p className={classes.clearing}>
          {t('setting.secret.clearing', { name: optionLabel(option) })}
          <Button size="compact-xs" variant="default" onClick={() => form.set(option, '')}>
            {t('setting.secret.keep')}
          </Button>
        </p>
      ) : (
        <FormFieldInput
          field={{ label: optionLabel(option), hint: hint === '' ? undefined : hint, ...kind }}
          value={fieldValue(kind, text)}
          error={form.errors[option]}
          onChange={(value) => form.set(option, textOfValue(value))}
        />
      )}
      {isSecretOption(option) && stored && text === '' && (
        <Button size="compact-xs" variant="subtle" className={classes.clear ?? ''} onClick={() => form.set(option, clearSecret)}>
          {t('setting.secret.clear', { name: optionLabel(option) })}
        </Button>
      )}
    </div>
  );
}
