import { isSecretOption } from '../../../core/options/facts.ts';
import { clearSecret } from '../../form/option-fields.ts';
import type { OptionForm } from '../../form/use-option-form.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOptionTexts } from '../../i18n/option-texts.ts';
import classes from './change-list.module.css';
import { changedLines } from './changed-lines.ts';

export function ChangeList({ form }: { readonly form: OptionForm }) {
  const { t } = useTranslation();
  const texts = useOptionTexts();
  return (
    <dl className={classes.list}>
      {form.changed.map((key) => {
        const text = form.text(key);
        return (
          <div key={key}>
            <dt>
              {texts.label(key)} <code>{key}</code>
            </dt>
            <dd>
              {isSecretOption(key) ? (
                t(text === clearSecret ? 'setting.review.cleared' : 'setting.review.secret')
              ) : (
                <pre>
                  {changedLines(form.before(key), text).map(({ kind, line }, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the lines never move
                    <span key={index} data-kind={kind}>
                      {`${kind === 'removed' ? '−' : kind === 'added' ? '+' : ' '} ${line || t('common.empty')}\n`}
                    </span>
                  ))}
                </pre>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
