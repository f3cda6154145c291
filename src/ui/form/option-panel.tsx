/**
 * One section of the settings, from its declaration in the registry: title left, switches and
 * fields right.
 */
import { Button, Input, Loader, Switch, TextInput } from '@mantine/core';
import { ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { isSecretOption, type OptionKey, type PanelId } from '../../core/options/facts.ts';
import { type TextKey, useTranslation } from '../i18n/index.ts';
import { useOptionTexts } from '../i18n/option-texts.ts';
import type { Field, FieldProps } from './fields.ts';
import { SwitchRow } from './form-rows.tsx';
import { lazyControl } from './lazy-control.tsx';
import { clearSecret, fieldValue, optionKind, optionsOf, textOfValue } from './option-fields.ts';
import classes from './option-panel.module.css';
import { PanelTitle } from './panel-title.tsx';
import { commonProps, isPlain, PlainFieldInput } from './plain-field.tsx';
import type { OptionForm } from './use-option-form.ts';

// Most of them are below the first view of the settings.
const LazyFieldInput = lazyControl(
  async () => (await import('./form-field.tsx')).FormFieldInput,
  36,
);
// Lists weigh more than secrets.
const LazySecret = lazyControl(
  async () => (await import('./secret-field.tsx')).SecretFieldInput,
  36,
);

/** Longest value that the hint of a changed field repeats. */
const longest = 60;

const choiceTexts: Readonly<Record<string, TextKey>> = {
  hour: 'setting.choice.hour',
  day: 'setting.choice.day',
  week: 'setting.choice.week',
  zh: 'setting.choice.zh',
  en: 'setting.choice.en',
  log: 'setting.choice.log',
  webhook: 'setting.choice.webhook',
  aliyun: 'setting.choice.aliyun',
  tencent: 'setting.choice.tencent',
  none: 'setting.choice.none',
  channel: 'setting.choice.channel',
  model: 'setting.choice.model',
};

interface OptionPanelProps {
  readonly panel: PanelId;
  readonly form: OptionForm;
  /** What stands below the field of an option. */
  readonly below?: (option: OptionKey) => ReactNode;
  /** Below the fields. */
  readonly children?: ReactNode;
}

export function OptionPanel({ panel, form, below, children }: OptionPanelProps) {
  const { t } = useTranslation();
  const texts = useOptionTexts();
  const id = useId();
  const { switches, fields } = optionsOf(panel);
  const changed = fields.some((key) => form.changed.includes(key));
  return (
    <section className={classes.panel} aria-labelledby={id} id={panel}>
      <div className={classes.head}>
        <PanelTitle id={id} panel={panel} changed={changed}>
          {texts.panel(panel)}
        </PanelTitle>
        {switches.length > 0 && (
          <p>{t(fields.length > 0 ? 'setting.switches.some' : 'setting.switches')}</p>
        )}
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
          <div key={key}>
            <OptionField option={key} form={form} />
            {below?.(key)}
          </div>
        ))}
        {children}
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
  const texts = useOptionTexts();
  const { t } = useTranslation();
  const busy = form.isSwitching(option);
  const preset = form.preset(option);
  const standard =
    preset && t('setting.default', { value: t(preset === 'true' ? 'setting.on' : 'setting.off') });
  const hint = [texts.hint(option), standard]
    .filter((part) => part !== undefined)
    .join(t('common.changes.joint'));
  return (
    <SwitchRow id={option} title={texts.label(option)} hint={hint === '' ? undefined : hint}>
      <Switch
        aria-label={texts.label(option)}
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
  const texts = useOptionTexts();
  const stored = form.options.stored.has(option);
  const kind = optionKind(option, stored, useChoiceText());
  const text = form.text(option);
  const before = form.before(option);
  const isChanged = form.changed.includes(option);
  const isClearing = isSecretOption(option) && text === clearSecret;
  const was =
    isChanged && !isSecretOption(option) && before.length <= longest && !before.includes('\n')
      ? t('common.was', { value: before === '' ? t('common.empty') : before })
      : undefined;
  const hint = [was, texts.hint(option)]
    .filter((part) => part !== undefined)
    .join(t('common.changes.joint'));
  return (
    <div id={option} className={classes.field} data-changed={isChanged || undefined}>
      {isClearing ? (
        <p className={classes.clearing}>
          {t('setting.secret.clearing', { name: texts.label(option) })}
          <Button size="compact-xs" variant="default" onClick={() => form.set(option, '')}>
            {t('setting.secret.keep')}
          </Button>
        </p>
      ) : (
        <OptionInput
          field={{ label: texts.label(option), hint: hint === '' ? undefined : hint, ...kind }}
          value={fieldValue(kind, text)}
          error={form.errors[option]}
          onChange={(value) => form.set(option, textOfValue(value))}
        />
      )}
      {isSecretOption(option) && stored && text === '' && (
        <Button
          size="compact-xs"
          variant="subtle"
          className={classes.clear ?? ''}
          onClick={() => form.set(option, clearSecret)}
        >
          {t('setting.secret.clear', { name: texts.label(option) })}
        </Button>
      )}
      <DefaultValue option={option} form={form} />
    </div>
  );
}

/** Below the field of an option that is not at its default: the default, and the way back to it. */
function DefaultValue({ option, form }: OptionProps) {
  const { t } = useTranslation();
  const texts = useOptionTexts();
  const choice = useChoiceText();
  const preset = form.preset(option);
  if (preset === undefined || preset === form.text(option)) return null;
  const isShort = preset.length <= longest && !preset.includes('\n');
  return (
    <div className={classes.preset}>
      {isShort ? (
        <span>
          {t('setting.default', { value: preset === '' ? t('common.empty') : choice(preset) })}
        </span>
      ) : (
        <details>
          <summary>{t('setting.default.show')}</summary>
          <pre>{preset}</pre>
        </details>
      )}
      <button
        type="button"
        aria-label={t('setting.default.of', { name: texts.label(option) })}
        onClick={() => form.set(option, preset)}
      >
        {t('setting.default.use')}
      </button>
    </div>
  );
}

/** What a choice is called; texts that are no choice stay. */
export function useChoiceText(): (choice: string) => string {
  const { t } = useTranslation();
  return (choice) => {
    const text = choiceTexts[choice];
    return text === undefined ? choice : t(text);
  };
}

function OptionInput({ field, ...rest }: FieldProps & { readonly field: Field }) {
  if (isPlain(field)) return <PlainFieldInput field={field} {...rest} />;
  const { label, hint } = field;
  const frame = (place: ReactNode) => (
    <Input.Wrapper label={label} description={hint} labelElement="div">
      {place}
    </Input.Wrapper>
  );
  const placeholder = { name: label, frame };
  switch (field.kind) {
    case 'secret':
      return <LazySecret placeholder={placeholder} field={field} {...rest} />;
    case 'select': {
      const chosen = field.options.find((option) => option.value === rest.value);
      const text = (
        <TextInput
          {...commonProps(field, rest.error)}
          readOnly
          pointer
          aria-haspopup="listbox"
          value={chosen?.label ?? String(rest.value)}
          rightSection={<ChevronsUpDown size={14} color="var(--tp-dim)" />}
        />
      );
      return (
        <LazyFieldInput placeholder={{ ...placeholder, standIn: text }} field={field} {...rest} />
      );
    }
    default:
      return <LazyFieldInput placeholder={placeholder} field={field} {...rest} />;
  }
}
