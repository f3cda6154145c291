/**
 * A panel of the settings as administrators below root see it: values, and no form
 * (docs/rules/console.md#settings-screen).
 */
import { useId } from 'react';
import {
  isSecretOption,
  type OptionKey,
  optionFacts,
  type PanelId,
} from '../../../../core/options/facts.ts';
import { ValueTag } from '../../../components/tag.tsx';
import { formText, optionsOf } from '../../../form/option-fields.ts';
import frame from '../../../form/option-panel.module.css';
import { useChoiceText } from '../../../form/option-panel.tsx';
import { PanelTitle } from '../../../form/panel-title.tsx';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { useOptionTexts } from '../../../i18n/option-texts.ts';
import type { StoredOptions } from '../../../queries/use-options.ts';
import classes from './read-panel.module.css';

/** Longer texts are folded away. */
const longest = 400;

interface ReadPanelProps {
  readonly panel: PanelId;
  readonly options: StoredOptions;
}

export function ReadPanel({ panel, options }: ReadPanelProps) {
  const texts = useOptionTexts();
  const id = useId();
  const { switches, fields } = optionsOf(panel);
  return (
    <section className={frame.panel} aria-labelledby={id} id={panel}>
      <div className={frame.head}>
        <PanelTitle id={id} panel={panel}>
          {texts.panel(panel)}
        </PanelTitle>
      </div>
      <dl className={`${frame.body} ${classes.list}`}>
        {[...switches, ...fields].map((key) => (
          <div key={key} id={key} className={classes.option}>
            <dt>{texts.label(key)}</dt>
            <dd>
              <Value option={key} options={options} />
              <Default option={key} options={options} />
            </dd>
            {texts.hint(key) !== undefined && <dd className={classes.hint}>{texts.hint(key)}</dd>}
          </div>
        ))}
      </dl>
    </section>
  );
}

interface OptionProps {
  readonly option: OptionKey;
  readonly options: StoredOptions;
}

function Value({ option, options }: OptionProps) {
  const { t } = useTranslation();
  const word = useWord(option);
  const { kind } = optionFacts(option);
  const isStored = options.stored.has(option);
  if (isSecretOption(option) && kind !== 'boolean')
    return isStored ? <ValueTag tone="ok">{t('common.saved')}</ValueTag> : <Nothing />;
  const text = isSecretOption(option)
    ? String(isStored)
    : formText(option, options.texts.get(option) ?? '');
  if (kind === 'boolean')
    return <ValueTag tone={text === 'true' ? 'ok' : 'off'}>{word(text)}</ValueTag>;
  if (text === '') return <Nothing />;
  if (text.length <= longest) return <span className={classes.text}>{word(text)}</span>;
  return (
    <details className={classes.long}>
      <summary>{t('setting.show')}</summary>
      <pre>{text}</pre>
    </details>
  );
}

function Nothing() {
  const { t } = useTranslation();
  return <span className={classes.hint}>{t('common.empty')}</span>;
}

/** The default of an option that has another value, where it is short. */
function Default({ option, options }: OptionProps) {
  const { t } = useTranslation();
  const word = useWord(option);
  const preset = options.defaults.get(option);
  if (preset === undefined) return null;
  const text = formText(option, preset);
  if (text.length > longest || text.includes('\n')) return null;
  const value = text === '' ? t('common.empty') : word(text);
  return <span className={classes.hint}> {t('setting.default', { value })}</span>;
}

/** How a value of the option is written. */
function useWord(option: OptionKey): (text: string) => string {
  const { t } = useTranslation();
  const choice = useChoiceText();
  const money = useMoney();
  const { kind, choices, panel, separator } = optionFacts(option);
  return (text) => {
    if (kind === 'boolean') return t(text === 'true' ? 'setting.on' : 'setting.off');
    if (choices !== undefined) return choice(text);
    if (kind === 'list' && separator === ',') return text.split(',').join(', ');
    if (panel !== 'operation.quota' || kind !== 'integer') return text;
    const count = Number(text).toLocaleString('en-US');
    // Holds are counted in tokens.
    if (option === 'PreConsumedQuota' || !money.display.inCurrency) return count;
    return `${count} ${t('common.equals', { amount: money.total(Number(text)).text })}`;
  };
}
