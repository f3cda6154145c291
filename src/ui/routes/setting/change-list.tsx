import { isSecretOption } from '../../../core/options/facts.ts';
import { clearSecret } from '../../form/option-fields.ts';
import type { OptionForm } from '../../form/use-option-form.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOptionTexts } from '../../i18n/option-texts.ts';
import classes from './change-list.module.css';

/** A line of a comparison; `gap` stands for equal lines that are left out. */
interface ChangedLine {
  readonly kind: 'removed' | 'added' | 'gap';
  readonly line: string;
}

/**
 * The lines that differ, without the equal ones before and after. Between them, equal lines are
 * recognised as long as lines were only replaced, added or removed in one place; otherwise all of
 * them are listed as replaced.
 */
function changedLines(before: string, after: string): readonly ChangedLine[] {
  const old = before.split('\n');
  const next = after.split('\n');
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < next.length - start &&
    old.at(-1 - end) === next.at(-1 - end)
  )
    end += 1;
  const gap: readonly ChangedLine[] = [{ kind: 'gap', line: '…' }];
  return [
    ...(start > 0 ? gap : []),
    ...old.slice(start, old.length - end).map((line): ChangedLine => ({ kind: 'removed', line })),
    ...next.slice(start, next.length - end).map((line): ChangedLine => ({ kind: 'added', line })),
    ...(end > 0 ? gap : []),
  ];
}

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
